// The segments of a scalable topic over days.
"use strict";

(() => {
  const { h, s, number, field, table, grouped, play } = evenkeel;
  const [WIDE, HIGH, LEFT, TOP, BOTTOM] = [420, 190, 30, 12, 22];
  const SETTINGS = [
    ["Split above, msg/s in", "scalableTopicSplitMsgRateInThreshold", 10000],
    ["Merge below, msg/s in", "scalableTopicMergeMsgRateInThreshold", 1000],
    ["Segments at most", "scalableTopicMaxSegments", 64],
    ["Segments at least", "scalableTopicMinSegments", 1],
    ["Merges behind a segment at most", "scalableTopicMaxDagDepth", 10],
    ["Seconds between splits", "scalableTopicSplitCooldownSeconds", 60],
    ["Seconds between merges", "scalableTopicMergeCooldownSeconds", 300],
    ["Seconds cold before a merge", "scalableTopicMergeWindowSeconds", 300],
  ];

  function controls(page) {
    const whole = (label, name, min) =>
      number(label, page.request[name], (value) => page.ask({ [name]: value }), { min, step: 1 });
    const setting = ([label, name, value]) =>
      number(label, page.request.settings[name] ?? value, (changed) =>
        page.ask({ settings: { ...page.request.settings, [name]: changed } }), { min: 0 });
    const parts = h("textarea", {
      rows: 5,
      spellcheck: "false",
      "aria-label": "parts of a day",
      value: page.request.stretches.map((part) => part.join(" ")).join("\n"),
      onchange: () => page.ask({
        stretches: parts.value.split("\n").filter((line) => line.trim())
          .map((line) => line.trim().split(/[\s:]+/).map(Number)),
      }),
    });
    return [
      field("A part of a day in each line: minutes, msg/s, consumers", parts),
      h("div", { class: "row" },
        whole("Days", "days", 1), whole("Segments at first", "segments", 1),
        whole("Bytes of a message", "message_bytes", 0), whole("Subscriptions", "fan_out", 0)),
      h("div", { class: "row" }, SETTINGS.map(setting)),
    ];
  }

  // The load as an area up to the highest rate; the number of segments as a line of steps.
  function drawn(run, minutes, most) {
    const x = (minute) => LEFT + ((WIDE - LEFT - 8) * minute) / minutes;
    const y = (count) => TOP + (HIGH - TOP - BOTTOM) * (1 - count / most);
    const highest = Math.max(1, ...run.rows.map((row) => row.stretch.rate));
    const parts = [];
    let at = 0;
    for (const { stretch } of run.rows) {
      const [from, to] = [x(at), x(at + stretch.minutes)];
      const high = y(0) - y((most * stretch.rate) / highest);
      parts.push(s("rect", { class: "window", x: from, y: y(0) - high, width: to - from, height: high },
        s("title", {}, `${grouped(stretch.rate)} msg/s, ${stretch.consumers} consumers`)));
      at += stretch.minutes;
    }
    const step = Math.ceil(most / 6);
    for (let count = 0; count <= most; count += step) {
      parts.push(s("line", { class: "grid", x1: LEFT, x2: WIDE - 8, y1: y(count), y2: y(count) }));
      parts.push(s("text", { x: LEFT - 6, y: y(count) + 4, "text-anchor": "end" }, String(count)));
    }
    for (let hour = 0; hour <= minutes / 60; hour += Math.max(1, Math.ceil(minutes / 360))) {
      parts.push(s("text", { x: x(60 * hour), y: HIGH - 6, "text-anchor": "middle" }, `${hour} h`));
    }
    const path = run.counts.map(([minute, count], place) =>
      `${place ? `H${x(minute).toFixed(1)}V` : `M${x(minute)},`}${y(count).toFixed(1)}`);
    parts.push(s("path", { class: "usage", d: `${path.join("")}H${x(minutes)}`, style: "stroke:var(--s1)" }));
    return s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "plot", role: "img", "aria-label": "segments over time" }, parts);
  }

  function cells(row) {
    const { minutes, rate, consumers } = row.stretch;
    return { cells: [row.day, minutes, grouped(rate), consumers, row.before, row.most, row.after,
      row.splits, row.merges, row.last ?? ""] };
  }

  function told(run) {
    if (!run.broken.length) return h("p", {}, "It comes to rest.");
    return h("ul", {}, run.broken.map(([clause, sentence]) =>
      h("li", {}, h("b", {}, clause), `: ${sentence}`)));
  }

  function show(page) {
    const { minutes, runs } = page.answered;
    const most = Math.max(2, ...Object.values(runs).flatMap((run) => run.counts.map(([, count]) => count)));
    const head = ["day", "minutes", "msg/s", "consumers", "segments", "at most", "at the end", "splits", "merges", "last in minute"];
    return [
      h("p", { class: "legend" },
        h("span", {}, h("i", { style: "background:var(--s1)" }), "segments"),
        h("span", {}, h("i", { style: "background:var(--s5)" }), "load")),
      h("div", { class: "plots" }, Object.entries(runs).map(([edition, run]) =>
        h("figure", {}, h("figcaption", {}, h("b", {}, edition), ` ${run.splits} splits, ${run.merges} merges`),
          drawn(run, minutes, most)))),
      ...Object.entries(runs).flatMap(([edition, run]) =>
        [h("h3", {}, edition), told(run), table(head, run.rows.map(cells))]),
      h("p", { class: "quiet" }, "Each split and merge makes producers and consumers reconnect, and leaves a sealed segment. The last column counts from the beginning of the part."),
    ];
  }

  play("segments", { controls, show });
})();
