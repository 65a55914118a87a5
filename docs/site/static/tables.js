// Long names of settings break between their words, so that a table fits beside them.
for (const name of document.querySelectorAll("table.docutils td code")) {
  const [text] = name.querySelectorAll("span.pre");
  const words = text?.textContent.split(/(?<=[a-z])(?=[A-Z])/);
  if (words?.length > 3) text.replaceChildren(...words.flatMap((word) => [word, document.createElement("wbr")]));
}

// The index of clauses shows more rows at once than sphinx-needs does by itself, and BAL-2 before BAL-10.
const padded = (id) => id.replace(/\d+/, (number) => number.padStart(4, "0"));

for (const table of document.querySelectorAll("table.NEEDS_DATATABLES")) {
  table.setAttribute("data-needstable-page-size", "50");
  const rows = [...table.tBodies[0].rows];
  for (const { cells } of rows) cells[0].setAttribute("data-sort", padded(cells[0].textContent.trim()));
  const place = (row) => row.cells[0].getAttribute("data-sort");
  table.tBodies[0].append(...rows.sort((a, b) => (place(a) < place(b) ? -1 : 1)));
}
