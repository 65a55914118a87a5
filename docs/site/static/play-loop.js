// A scenario over time: every broker's usage, and when bundles move.
"use strict";

(() => {
  const { h, s, choice, number, field, table, percent, grouped, play, editions } = evenkeel;
  const ALL = ["none", "overload", "threshold", "uniform", "transfer", "avg"];
  const [WIDE, HIGH, LEFT, TOP, BOTTOM] = [420, 180, 44, 10, 36];

  function controls(page) {
    const text = h("textarea", { rows: 14, spellcheck: "false", value: page.request.scenario, "aria-label": "scenario" });
    const names = Object.keys(page.data.scenarios);
    const run = () => page.ask({ scenario: text.value });
    const box = (name) => {
      const input = h("input", {
        type: "checkbox",
        checked: page.request.strategies.includes(name),
        onchange: () => {
          const kept = new Set(page.request.strategies);
          if (input.checked) kept.add(name);
          else kept.delete(name);
          page.ask({ strategies: ALL.filter((one) => kept.has(one)) });
        },
      });
      return h("label", { class: "box" }, input, name);
    };
    return [
      h("div", { class: "row" },
        choice("Scenario", names.map((name) => [name]), names[0], (name) => {
          text.value = page.data.scenarios[name];
          run();
        }),
        choice("Edition", editions.map((name) => [name]), page.request.edition, (edition) => page.ask({ edition })),
        number("Seed", page.request.seed, (seed) => page.ask({ seed }), { min: 0, step: 1 })),
      h("fieldset", { class: "boxes" }, h("legend", {}, "Strategies"), ALL.map(box)),
      h("details", {}, h("summary", {}, "Change the scenario"), text,
        h("p", { class: "buttons" }, h("button", { type: "button", onclick: run }, "Run it"))),
    ];
  }

  function nice(most) {
    return [0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10].find((step) => most / step <= 5) || most / 4;
  }

  function plot(run, top, minutes) {
    const x = (at) => LEFT + ((WIDE - LEFT - 26) * at) / minutes;
    const y = (usage) => TOP + (HIGH - TOP - BOTTOM) * (1 - usage / top);
    const parts = [];
    for (let level = 0; level <= top + 1e-9; level += nice(top)) {
      parts.push(s("line", { class: level > 0.999 && level < 1.001 ? "full" : "grid", x1: LEFT, x2: WIDE - 26, y1: y(level), y2: y(level) }));
      parts.push(s("text", { x: LEFT - 6, y: y(level) + 4, "text-anchor": "end" }, percent(level)));
    }
    const step = [1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1440].find((one) => minutes / one <= 6) || minutes / 6;
    for (let at = 0; at <= minutes; at += step) {
      parts.push(s("text", { x: x(at), y: HIGH - 4, "text-anchor": "middle" }, at + step > minutes ? `${at} min` : String(at)));
    }
    const most = Math.max(1, ...run.moves);
    run.moves.forEach((moves, place) => {
      if (!moves) return;
      const [at, foot] = [x(run.at[place]), HIGH - BOTTOM + 16];
      parts.push(s("line", { class: "moves", x1: at, x2: at, y1: foot, y2: foot - 4 - (8 * moves) / most }, s("title", {}, `minute ${run.at[place]}: ${moves} moved`)));
    });
    Object.entries(run.usage).forEach(([broker, usages], place, all) => {
      const points = usages.map((usage, i) => usage === null ? null : `${x(run.at[i]).toFixed(1)},${y(usage).toFixed(1)}`);
      let begun = false;
      const path = points.map((point) => {
        const piece = point === null ? "" : `${begun ? "L" : "M"}${point}`;
        begun = point !== null;
        return piece;
      }).join("");
      const colour = all.length > 8 ? "var(--s1)" : `var(--s${place + 1})`;
      parts.push(s("path", { class: "usage", d: path, style: `stroke:${colour}` }, s("title", {}, broker)));
    });
    return s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", class: "plot" }, parts);
  }

  function legend(brokers) {
    if (brokers.length > 8) return h("p", { class: "quiet" }, `${brokers.length} brokers; a line for each`);
    return h("p", { class: "legend" }, brokers.map((name, place) =>
      h("span", {}, h("i", { style: `background:var(--s${place + 1})` }), name)),
      h("span", {}, h("i", { class: "tick" }), "bundles that move"));
  }

  function measured([name, { measures }]) {
    const steady = measures.steady_after === null ? "never" : `${measures.steady_after / 60000} min`;
    return { cells: [name, grouped(measures.unloads), grouped(measures.returned), percent(measures.highest),
      percent(measures.mean_deviation), percent(measures.last_deviation), steady] };
  }

  function show(page) {
    const runs = Object.entries(page.answered.runs);
    const usages = runs.flatMap(([, run]) => Object.values(run.usage).flat());
    const top = 1.05 * Math.max(0.2, ...usages.filter((usage) => usage !== null));
    if (!runs.length) return h("p", {}, "Choose a strategy.");
    return [
      h("h2", {}, page.answered.title),
      legend(Object.keys(runs[0][1].usage)),
      h("div", { class: "plots" }, runs.map(([name, run]) =>
        h("figure", {}, h("figcaption", {}, h("b", {}, name), ` ${page.request.edition}: usage of every broker`), plot(run, top, page.answered.minutes)))),
      table(["strategy", "bundles moved", "back again", "highest usage", "mean spread", "spread at the end", "nothing moves after"], runs.map(measured)),
      h("p", { class: "quiet" }, "Spread: the standard deviation of the brokers' usages. Back again: moves of a bundle to a broker that it had left."),
    ];
  }

  play("loop", { controls, show });
})();
