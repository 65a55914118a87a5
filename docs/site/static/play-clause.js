// Any trial: what both editions answer, and what their judges say of it.
"use strict";

(() => {
  const { h, table, play, editions } = evenkeel;
  const written = (data) => JSON.stringify(data, null, 2);
  let cases;

  // The cases are packed like all that is loaded on demand.
  async function loaded() {
    cases ??= evenkeel.packed("cases.js").then((files) => JSON.parse(new TextDecoder().decode(files["cases.json"])));
    return cases;
  }

  function controls(page) {
    const trial = h("textarea", { rows: 16, spellcheck: "false", "aria-label": "trial", value: written(page.request.trial) });
    const own = h("textarea", { rows: 6, spellcheck: "false", "aria-label": "your answer", placeholder: "none" });
    const question = h("code", {}, page.request.question);
    const chapters = Object.entries(page.data.cases);
    const problem = h("p", { class: "status refused" });

    const parsed = (text, what) => {
      try {
        return JSON.parse(text);
      } catch (error) {
        throw new Error(`${what} is no JSON: ${error.message}`);
      }
    };
    const run = () => {
      problem.textContent = "";
      try {
        const observation = own.value.trim() ? parsed(own.value, "Your answer") : null;
        page.ask({ trial: parsed(trial.value, "The trial"), observation });
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    const take = async (name) => {
      const found = (await loaded())[name];
      if (!found) return;
      question.textContent = found.question;
      trial.value = written(found.trial);
      own.value = "";
      page.ask({ question: found.question, trial: found.trial, observation: null });
    };
    const wanted = new URLSearchParams(location.search).get("case");
    const first = chapters.some(([, titles]) => wanted in titles) ? wanted : page.data.case;
    const pick = h("select", { "aria-label": "case", onchange: () => take(pick.value) },
      chapters.map(([chapter, titles]) =>
        h("optgroup", { label: chapter }, Object.entries(titles)
          .map(([name, title]) => h("option", { value: name, selected: name === first }, title)))));
    const copy = () => (own.value = written(page.answered.observed.DOCUMENTED));
    if (first !== page.data.case) queueMicrotask(() => take(first));
    return [
      h("label", { class: "field" }, h("span", {}, "Example or counterexample"), pick),
      h("p", {}, "Question: ", question),
      h("label", { class: "field" }, h("span", {}, "Trial"), trial),
      h("details", {}, h("summary", {}, "Judge an answer of your own"), own,
        h("p", { class: "buttons" }, h("button", { type: "button", onclick: copy }, "Begin with the reference's"))),
      problem,
      h("p", { class: "buttons" }, h("button", { type: "button", class: "run", onclick: run }, "Run")),
    ];
  }

  function* leaves(value, place = "") {
    const entries = value && typeof value === "object" ? Object.entries(value) : [];
    if (!entries.length) yield [place.replace(/^answer\.?/, "") || "answer", JSON.stringify(value)];
    for (const [name, item] of entries) {
      const inner = Array.isArray(value) ? `${place}[${Number(name) + 1}]` : place ? `${place}.${name}` : name;
      yield* leaves(item, inner);
    }
  }

  function answers(page) {
    const found = editions.map((edition) => new Map(leaves(page.answered.observed[edition])));
    const places = [...new Set(found.flatMap((one) => [...one.keys()]))];
    const rows = places.slice(0, 200).map((place) => {
      const [one, other] = found.map((map) => map.get(place) ?? "–");
      return { class: one === other ? "" : "differs", cells: [place, one, other] };
    });
    return table(["", ...editions], rows, "answers");
  }

  function judged(page) {
    const { verdicts } = page.answered;
    const rows = Object.entries(verdicts).flatMap(([who, by]) =>
      editions.map((edition) => {
        const broken = Object.entries(by[edition]).filter(([, [status]]) => status !== "holds");
        const holds = Object.keys(by[edition]).length - broken.length;
        const told = broken.map(([clause, [status, sentence]]) => h("p", { class: "broken" }, h("b", {}, `${clause} ${status}`), ` ${sentence}`));
        const name = who === "yours" ? "your answer" : `what ${who} answers`;
        return { cells: [name, edition, told.length ? told : h("span", { class: "fine" }, `✓ ${holds} clauses hold`)] };
      }));
    return table(["answer", "judged by", ""], rows, "judged");
  }

  play("clause", {
    controls,
    show: (page) => [h("h3", {}, "What the reference answers"), answers(page), h("h3", {}, "What the judges say"), judged(page)],
  });
})();
