// How the scripts of the pages are checked: `make scripts`.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/.venv/", "node_modules/", "site/", "tests/design_your_own/", "docs/"] },
  js.configs.recommended,
  {
    rules: {
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "consistent-return": "error",
      "no-shadow": "error",
      "max-lines": ["error", 550],
    },
  },
  { files: ["src/laager/web/**/*.js"], languageOptions: { globals: { ...globals.browser, htmx: "readonly" } } },
  { files: ["docs/**/*.js"], languageOptions: { sourceType: "script", globals: globals.browser } },
  { files: ["tests/scripts/**/*.js"], languageOptions: { globals: globals.node } },
];
