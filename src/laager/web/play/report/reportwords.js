// The words of the report's page in the reader's language.
export const WORDS = document.getElementById("report-words").dataset;
