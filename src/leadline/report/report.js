// What makes the report something to work in. Without it the page shows everything all the same.
// Text only ever becomes textContent or a value: nothing of a corpus is read as markup.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const textOf = (element) => (element ? element.textContent.replace(/\s+/g, " ").trim() : "");

  const download = (name, content) => {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([content], { type: "text/csv;charset=utf-8" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  // A cell that a spreadsheet would run as a formula has an apostrophe before it.
  const cell = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""')}"`;
  for (const table of all("main table")) {
    const button = make("button", "CSV", "tool");
    button.type = "button";
    button.setAttribute("aria-label", `Save as CSV: ${textOf(table.caption)}`);
    button.addEventListener("click", () => {
      const rows = [...table.rows].map((row) =>
        [...row.cells].flatMap((each) => [cell(textOf(each)), ...Array(each.colSpan - 1).fill('""')])
      );
      download("leadline.csv", "\ufeff" + rows.map((row) => row.join(",")).join("\r\n") + "\r\n");
    });
    table.before(button);
  }

  // The head of a column orders the rows by it, and then the other way round; what has no value
  // comes last. aria-sort tells how they stand.
  const collator = new Intl.Collator("en", { numeric: true });
  const worth = (row, column) => {
    const held = row.cells[column];
    const text = textOf(held.querySelector(".mean") ?? held).replace("\u2212", "-");
    const number = Number.parseFloat(text.replaceAll(",", ""));
    return held.matches("th") ? text : Number.isNaN(number) ? null : number;
  };
  const comparing = (column, sign) => (one, other) => {
    const [a, b] = [worth(one, column), worth(other, column)];
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "string" ? collator.compare(a, b) : a - b);
  };
  const sortable = (table) => {
    const heads = all('thead th[scope="col"]', table);
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 2) return;
    const order = (column, direction) => {
      const sign = direction === "ascending" ? 1 : -1;
      table.tBodies[0].append(...[...rows].sort(comparing(column, sign)));
      heads.forEach((head, at) => head.setAttribute("aria-sort", at === column ? direction : "none"));
    };
    // The best first: names from a to z, and the lowest where lower is better.
    const firstOf = (column) => heads[column].dataset.first ?? (column ? "descending" : "ascending");
    heads.forEach((head, column) => {
      const first = firstOf(column);
      const second = first === "ascending" ? "descending" : "ascending";
      const button = make("button", "", "sort");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () =>
        order(column, head.getAttribute("aria-sort") === first ? second : first));
      head.setAttribute("aria-sort", "none");
      head.append(button);
    });
    if (!table.matches(".overview")) return;
    // On a phone the heads of this table are not shown.
    const label = make("label", "Order by ", "phone");
    const select = make("select");
    const named = (at) => rows[0].cells[at].dataset.label ?? textOf(heads[at]);
    select.append(new Option("as run", ""), ...heads.map((_, at) => new Option(named(at), at)));
    select.addEventListener("input", () => {
      if (select.value) order(Number(select.value), firstOf(Number(select.value)));
      else table.tBodies[0].append(...rows);
    });
    label.append(select);
    table.before(label);
  };
  all("main table").forEach(sortable);

  const passage = (section) => ({
    label: textOf(section.querySelector("h5")),
    id: textOf(section.querySelector(".id")),
    title: textOf(section.querySelector(".title")),
    text: textOf(section.querySelector(".text")),
  });
  const cases = all("#cases .case");
  const home = new Map(cases.map((one) => [one, one.closest(".group")]));
  const causesOf = (one) => all(".causes > li", one).map((each) => each.dataset.cause);
  const asJson = (one) => {
    const group = home.get(one);
    const facts = {};
    for (const fact of all("dl.facts > div", one)) {
      facts[textOf(fact.querySelector("dt"))] = textOf(fact.querySelector("dd"));
    }
    return JSON.stringify({
      probe: group.dataset.probe,
      system: group.dataset.system,
      headline: textOf(one.querySelector("summary > span:not(.where)")),
      queries: all(".query .text", one).map(textOf),
      documents: all(".passage", one).map(passage),
      causes: causesOf(one),
      facts,
    }, null, 1);
  };
  // JSON strings are Python strings; white space is joined, so a comment stays one line.
  const asPytest = (one) => {
    const { probe, system, headline, queries, documents } = JSON.parse(asJson(one));
    const [right, wrong] = documents.map((each) => JSON.stringify(each.id));
    return [
      `# ${probe}, ${system}: ${headline}`,
      `def test_${one.id.replace("-", "_")}(search):  # your fixture: (query, k) -> ids, best first`,
      `    found = search(${JSON.stringify(queries[0] ?? "")}, 10)`,
      `    assert ${right} in found`,
      `    assert ${wrong} not in found[: found.index(${right})]`,
    ].join("\n") + "\n";
  };
  const offerCopy = (one, name, written) => {
    const button = make("button", name, "tool");
    button.type = "button";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(written(one));
        button.textContent = "Copied";
      } catch {
        const area = make("textarea");
        area.value = written(one);
        area.readOnly = true;
        button.replaceWith(area);
        area.select();
      }
    });
    one.querySelector(".tools").append(button);
  };
  for (const one of cases) {
    one.querySelector(".body").append(make("div", "", "tools"));
    offerCopy(one, "Copy as JSON", asJson);
    if (all(".passage", one).length > 1) offerCopy(one, "Copy as pytest", asPytest);
  }
  if (cases.length < 2) return;

  const bar = make("div", "", "filters");
  bar.setAttribute("role", "search");
  const choice = (name, values) => {
    const label = make("label", `${name} `);
    const select = make("select");
    select.append(new Option("all", ""));
    for (const value of new Set(values)) select.append(new Option(value, value));
    label.append(select);
    bar.append(label);
    return select;
  };
  const groups = all("#cases .group");
  const further = all("#cases .further");
  const probe = choice("Probe", groups.map((group) => group.dataset.probe));
  const system = choice("System", groups.map((group) => group.dataset.system));
  // What cases were made of, where several share it: kind of edit, k, position.
  const factsOf = new Map(cases.map((one) => [
    one, all("dl.facts > div", one).map((each) =>
      `${textOf(each.querySelector("dt"))}: ${textOf(each.querySelector("dd"))}`),
  ]));
  const counted = new Map();
  for (const fact of [...factsOf.values()].flat()) counted.set(fact, (counted.get(fact) ?? 0) + 1);
  const shared = [...counted.keys()].filter((fact) => counted.get(fact) > 1 && fact.length < 60);
  const slice = choice("Slice", shared.sort().slice(0, 200));
  const withoutCause = "none found";
  const causes = new Map(cases.map((one) => {
    const found = causesOf(one);
    return [one, found.length ? found : [withoutCause]];
  }));
  const cause = choice("Cause", [...causes.values()].flat().sort());
  const order = choice("Order", ["worst first", "largest drop in rank"]);
  order.options[0].text = "by probe and system";
  const label = make("label", "Words ");
  const words = make("input");
  words.type = "search";
  label.append(words);
  const count = make("output");
  bar.append(label, count);
  // In an order of their own, cases stand in one list, each with its system and probe.
  const list = make("section", "", "flat");
  list.setAttribute("aria-label", "All cases");
  const value = (one, name) => Number.parseFloat(one.dataset[name]) || 0;
  const arrange = () => {
    all("#cases .where").forEach((each) => each.remove());
    for (const one of cases) home.get(one).append(one);
    if (!order.value) return;
    for (const each of further) each.open = true;
    const name = order.value === "worst first" ? "badness" : "drop";
    for (const one of [...cases].sort((a, b) => value(b, name) - value(a, name))) {
      const { system, probe } = home.get(one).dataset;
      one.querySelector("summary").prepend(make("span", `${system} on ${probe}: `, "where"));
      list.append(one);
    }
  };
  const contents = new Map(cases.map((one) => [one, one.textContent.toLowerCase()]));
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of cases) {
      const group = home.get(one);
      const fits = (!probe.value || group.dataset.probe === probe.value) &&
        (!system.value || group.dataset.system === system.value) &&
        (!slice.value || factsOf.get(one).includes(slice.value)) &&
        (!cause.value || causes.get(one).includes(cause.value)) &&
        wanted.every((word) => contents.get(one).includes(word));
      one.hidden = !fits;
      shown += fits;
    }
    for (const each of all("#cases :is(.group, .further, .system)")) {
      each.hidden = all(".case", each).every((one) => one.hidden);
    }
    if (shown < cases.length) for (const each of further) each.open = true;
    count.textContent = `${shown} of ${cases.length} cases`;
  };
  order.addEventListener("input", arrange);
  for (const input of [probe, system, slice, cause, order, words]) input.addEventListener("input", apply);
  document.querySelector("#cases h2").after(bar);
  document.getElementById("cases").append(list);
  apply();
  const open = document.getElementById(location.hash.slice(1));
  if (open && open.matches(".case")) {
    open.open = true;
    if (open.closest(".further")) open.closest(".further").open = true;
  }
})();
