// Parts of the pages that run the specification: elements, fields, and requests.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";

  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === false || value === undefined || value === null) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name === "value") element.value = value;
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  }

  // An element of HTML, or of SVG, with attributes and children.
  const h = (tag, attributes, ...children) =>
    filled(document.createElement(tag), attributes, children);
  const s = (tag, attributes, ...children) =>
    filled(document.createElementNS(SVG, tag), attributes, children);

  const field = (label, input, hint) =>
    h("label", { class: "field" }, h("span", {}, label), input, hint ? h("small", {}, hint) : null);

  const number = (label, value, change, more) => {
    const given = { type: "number", step: "any", value, ...more };
    const input = h("input", { ...given, onchange: () => change(Number(input.value)) });
    return field(label, input);
  };

  const choice = (label, options, value, change) => {
    const chosen = ([name, text]) =>
      h("option", { value: name, selected: name === value }, text ?? name);
    const select = h("select", { onchange: () => change(select.value) }, options.map(chosen));
    return field(label, select);
  };

  const table = (head, rows, sort) =>
    h(
      "div",
      { class: "wide" },
      h(
        "table",
        { class: sort || "numbers" },
        h("thead", {}, h("tr", {}, head.map((cell) => h("th", {}, cell)))),
        h(
          "tbody",
          {},
          rows.map(({ cells, ...attributes }) =>
            h("tr", attributes, cells.map((cell, i) => h(i ? "td" : "th", {}, cell))),
          ),
        ),
      ),
    );

  const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
  const grouped = (value) => Number(value).toLocaleString("en-US");

  // A page: its controls are built once, the rest is drawn for each answer. Of several
  // questions in a row only the last one counts.
  function play(name, { controls, show }) {
    const root = document.getElementById(`play-${name}`);
    const data = JSON.parse(document.getElementById("play-data").textContent);
    const status = h("p", { class: "status", role: "status" });
    const shown = h("div", { class: "shown" });
    const page = { data, request: data.request, answered: data.answered, ask, redraw };
    let last = 0;

    function redraw() {
      shown.replaceChildren(...[show(page)].flat());
      root.dataset.shown = String(Number(root.dataset.shown || 0) + 1);
    }

    async function ask(changed) {
      Object.assign(page.request, changed);
      const own = ++last;
      status.textContent = evenkeel.loaded()
        ? "Working it out …"
        : "Python and the specification are being loaded, once (9 MB, from this folder) …";
      shown.classList.add("old");
      let answered;
      try {
        answered = await evenkeel.call(name, page.request);
      } catch (error) {
        answered = { refused: String(error.message || error) };
      }
      if (own !== last) return;
      status.textContent = answered.refused || "";
      status.classList.toggle("refused", Boolean(answered.refused));
      root.dataset.answers = String(Number(root.dataset.answers || 0) + 1);
      if (answered.refused) return;
      shown.classList.remove("old");
      page.answered = answered;
      redraw();
    }

    root.replaceChildren(h("form", { class: "controls", onsubmit: (e) => e.preventDefault() },
      controls(page)), status, shown);
    redraw();
    return page;
  }

  Object.assign(evenkeel, {
    h, s, field, number, choice, table, percent, grouped, play,
    editions: ["DOCUMENTED", "PULSAR_4_0"],
  });
})();
