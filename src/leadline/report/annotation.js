"use strict";
const fields = Array.from(document.querySelectorAll("input[data-item]"));
const done = document.getElementById("done");
const count = () => {
  done.textContent = fields.filter((each) => each.value !== "").length + " of " + fields.length;
};
// As `guarded` of files/sheets.py: no spreadsheet may take a text for a formula.
const guarded = (text) => (/^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? "'" : "") + text;
const quoted = (text) => '"' + guarded(text).replace(/"/g, '""') + '"';
document.addEventListener("input", count);
document.getElementById("save").addEventListener("click", () => {
  const rows = [["item", document.body.dataset.column].map(quoted).join(",")];
  fields.forEach((each) => rows.push([each.dataset.item, each.value].map(quoted).join(",")));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
  link.download = "answers.csv";
  link.click();
});
count();
