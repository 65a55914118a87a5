// What a dispatch limit lets through at worst, along the time.
"use strict";

(() => {
  const { h, s, number, table, grouped, play } = evenkeel;
  const [WIDE, HIGH, LEFT, TOP, BOTTOM] = [720, 300, 64, 62, 34];

  function controls(page) {
    const whole = (label, name) =>
      number(label, page.request[name], (value) => page.ask({ [name]: value }), { min: 1, step: 1 });
    return h("div", { class: "row" },
      whole("Messages per period", "quota"), whole("Seconds of a period", "period"),
      whole("Messages of an entry at most", "batch"), whole("Entries of a read at most", "entries"),
      whole("Reads at once", "reads"));
  }

  function drawn(page) {
    const { delivered, window: worst, idle } = page.answered;
    const { quota, period } = page.request;
    const top = 1.08 * Math.max(...delivered, quota);
    const each = (WIDE - LEFT - 10) / delivered.length;
    const x = (periods) => LEFT + each * periods;
    const y = (units) => TOP + (HIGH - TOP - BOTTOM) * (1 - units / top);
    const parts = delivered.map((_, place) =>
      s("line", { class: "grid", x1: x(place), x2: x(place), y1: TOP, y2: HIGH - BOTTOM }));
    const debt = Math.min(idle, delivered.length - 2);
    if (debt > 0) {
      parts.push(s("rect", { class: "debt", x: x(2), y: TOP, width: each * debt, height: HIGH - TOP - BOTTOM }));
      const text = idle === 1 ? "1 period delivers nothing" : `${grouped(idle)} periods deliver nothing`;
      parts.push(s("text", { class: "debt", x: x(2) + 8, y: TOP + 18 }, text));
    }
    // The window of one period that holds the quota at the end of one and the burst of the next.
    parts.push(s("rect", { class: "window", x: x(0.72), y: TOP - 8, width: each, height: HIGH - TOP - BOTTOM + 8 }));
    delivered.forEach((units, place) => {
      if (delivered.length <= 12 || place % 2 === 0) {
        parts.push(s("text", { x: x(place), y: HIGH - 12, "text-anchor": "middle" }, `${grouped(place * period)} s`));
      }
      if (!units) return;
      const [from, width] = place === 0 ? [0.78, 0.2] : place === 1 ? [1.02, 0.2] : [place + 0.1, 0.8];
      const sort = place === 1 || units > quota ? "delivered burst" : "delivered";
      parts.push(s("rect", { class: sort, x: x(from), y: y(units), width: each * width, height: y(0) - y(units) },
        s("title", {}, `${grouped(units)} messages`)));
      const text = { class: "count", x: x(from + width / 2), y: y(units) - 4, "text-anchor": "middle" };
      if (place < 2 || each > 60) parts.push(s("text", text, grouped(units)));
    });
    parts.push(s("line", { class: "limit", x1: LEFT, x2: WIDE - 10, y1: y(quota), y2: y(quota) }));
    parts.push(s("text", { class: "limit", x: LEFT - 6, y: y(quota) + 4, "text-anchor": "end" }, "limit"));
    parts.push(s("line", { class: "axis", x1: LEFT, x2: WIDE - 10, y1: y(0), y2: y(0) }));
    const times = (worst / quota).toFixed(1);
    parts.push(s("text", { class: "headline", x: Math.max(LEFT, x(0.72)), y: 20 }, `${grouped(worst)} messages within ${grouped(period)} s`));
    parts.push(s("text", { x: Math.max(LEFT, x(0.72)), y: 40 }, `${times} times the limit of ${grouped(quota)}`));
    return s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "plot limits", role: "img", "aria-label": "time line" }, parts);
  }

  function show(page) {
    const { bounds, schedule, excess, window: worst } = page.answered;
    const rows = bounds.map((row) => ({
      cells: [`${row.periods} × ${page.request.period} s`, ...["limit", "aligned", "window", "bucket", "forgotten"].map((name) => grouped(row[name]))],
    }));
    return [
      h("p", { class: "headline" }, `At worst ${grouped(worst)} messages in some ${page.request.period} s, `,
        h("b", {}, `${(worst / page.request.quota).toFixed(1)} times the limit`), `; on average the limit.`),
      h("div", { class: "wide" }, drawn(page)),
      h("h3", {}, "How it comes about"),
      h("ol", {}, schedule.map((line) => h("li", {}, line))),
      h("h3", {}, "The most that a window lets through"),
      table(["window", "the limit says", "whole periods", "any window", "token bucket, at most", "counter that forgets"], rows),
      h("p", { class: "quiet" }, `Beyond the quota: ${grouped(excess)} messages. A counter that forgets what was too much (THR-58) can repeat it in every period.`),
    ];
  }

  play("limits", { controls, show });
})();
