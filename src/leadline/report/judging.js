"use strict";
const found = Array.from(document.querySelectorAll(".found"));
const done = document.getElementById("done");
const key = "leadline-judging-" + document.body.dataset.key;
const gradeOf = (one) => one.querySelector("input:checked")?.value ?? "";
const idOf = (one) => one.dataset.query + "\t" + one.dataset.document;
const mark = (one, grade) => {
  for (const each of one.querySelectorAll("input")) each.checked = each.value === grade;
};
const update = () => {
  let count = 0;
  const kept = {};
  for (const one of found) {
    const grade = gradeOf(one);
    one.classList.toggle("done", grade !== "");
    if (grade !== "") {
      count += 1;
      kept[idOf(one)] = grade;
    }
  }
  done.textContent = count + " of " + found.length + " marked";
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    done.textContent += ". This browser keeps nothing: save before you close the page.";
  }
};
try {
  const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
  for (const one of found) if (typeof kept[idOf(one)] === "string") mark(one, kept[idOf(one)]);
} catch {
  // Nothing was kept that can be read.
}
document.addEventListener("change", update);

const here = () => found.indexOf(document.activeElement?.closest?.(".found") ?? null);
const go = (place) => {
  const one = found[Math.min(Math.max(place, 0), found.length - 1)];
  one?.focus();
  one?.scrollIntoView({ block: "nearest" });
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const place = here();
  if ("0123".includes(event.key) && place >= 0) {
    mark(found[place], event.key === "0" ? "" : String(Number(event.key) - 1));
    update();
    if (event.key !== "0") go(place + 1);
  } else if (event.key === "j") go(place + 1);
  else if (event.key === "k") go(place - 1);
  else if (event.key === "u") {
    const next = found.findIndex((one, number) => number > place && gradeOf(one) === "");
    if (next >= 0) go(next);
  } else return;
  event.preventDefault();
});

document.getElementById("save").addEventListener("click", () => {
  const rows = ["query-id\tcorpus-id\tscore"];
  for (const one of found) if (gradeOf(one) !== "") rows.push(idOf(one) + "\t" + gradeOf(one));
  for (const each of document.querySelectorAll("#known li")) {
    rows.push([each.dataset.query, each.dataset.document, each.dataset.grade].join("\t"));
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([rows.join("\n") + "\n"], { type: "text/tab-separated-values" }));
  link.download = "qrels.tsv";
  link.click();
});
update();
