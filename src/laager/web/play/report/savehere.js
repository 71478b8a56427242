// A save of VASL dropped anywhere on a page that says so (data-save-page: the address of the report) opens the report.
import { acceptFiles, handOn } from "../../shared/dropped.js";

// The page is drawn anew when something happens: look each time.
const reportPage = () => document.querySelector("[data-save-page]")?.dataset.savePage;
acceptFiles(
  document,
  (file) => handOn(file, reportPage()),
  () => Boolean(reportPage()),
);
