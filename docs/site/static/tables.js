// The index of clauses shows more rows at once than sphinx-needs does by itself.
for (const table of document.querySelectorAll("table.NEEDS_DATATABLES")) {
  table.setAttribute("data-needstable-page-size", "50");
}
