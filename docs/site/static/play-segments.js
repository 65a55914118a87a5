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
    ["Entry buckets of a new topic", "scalableTopicEntryBucketBudget", 4],
    ["Entry buckets of a segment at most", "scalableTopicEntryBucketMaxPerSegment", 1024],
    ["Split for consumers from msg/s in", "scalableTopicSplitVsRebucketMinMsgRateInThreshold", 1000],
    ["Seconds between more buckets", "scalableTopicRebucketCooldownSeconds", 60],
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
      field("A part of a day in each line: minutes, msg/s, consumers, checkpoint consumers", parts,
        "Consumers of the largest stream subscription, which can share a segment by its entry buckets (5.0.1); of the largest group of checkpoint consumers, which cannot: may be left out."),
      h("div", { class: "row" },
        whole("Days", "days", 1), whole("Segments at first", "segments", 1),
        whole("Bytes of a message", "message_bytes", 0), whole("Subscriptions", "fan_out", 0)),
      h("div", { class: "row" }, SETTINGS.map(setting)),
    ];
  }

  // The load as an area up to the highest rate; the number of segments as a line of steps, with a
  // mark where segments get more entry buckets.
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
        s("title", {}, `${grouped(stretch.rate)} msg/s, ${readers(stretch)} consumers`)));
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
    const path = run.steps.map(({ minute, segments }, place) =>
      `${place ? `H${x(minute).toFixed(1)}V` : `M${x(minute)},`}${y(segments).toFixed(1)}`);
    parts.push(s("path", { class: "usage", d: `${path.join("")}H${x(minutes)}`, style: "stroke:var(--s1)" }));
    for (const { minute, segments, buckets } of run.steps.filter((step) => step.did === "rebucket")) {
      parts.push(s("circle", { class: "rebucket", cx: x(minute), cy: y(segments), r: 4, style: "fill:var(--s2)" },
        s("title", {}, `minute ${minute}: ${buckets} entry buckets in ${segments} segments`)));
    }
    return s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "plot", role: "img", "aria-label": "segments over time" }, parts);
  }

  const readers = ({ consumers, checkpoint }) => checkpoint ? `${consumers}:${checkpoint}` : consumers;

  function cells(row) {
    const { minutes, rate } = row.stretch;
    return { cells: [row.day, minutes, grouped(rate), readers(row.stretch), row.before, row.most, row.after,
      row.buckets, row.splits, row.merges, row.rebuckets, row.last ?? ""] };
  }

  function counted(run) {
    const count = (did) => run.steps.filter((step) => step.did === did).length;
    return ` ${count("split")} splits, ${count("merge")} merges, ${count("rebucket")} rebuckets`;
  }

  function told(page, edition, run) {
    if (!run.broken.length) return h("p", {}, "It comes to rest.");
    return h("div", {},
      h("ul", {}, run.broken.map(([clause, sentence]) => h("li", {}, h("b", {}, clause), `: ${sentence}`))),
      page.answered.resting === edition ? changes(page.answered.changes) : h("p", { class: "buttons" },
        h("button", { type: "button", class: "resting", onclick: () => search(page, edition) },
          "Which settings would let it rest?")));
  }

  // Many plans: only for the edition that was asked for. The request that was handed over keeps it,
  // those that follow ask for none.
  function search(page, edition) {
    page.ask({ resting: edition });
    page.request = { ...page.request, resting: "" };
  }

  function changes(found) {
    if (!found.length) return h("p", {}, "No single setting that was tried lets it rest.");
    return h("div", {}, h("p", {}, "It would come to rest with (nearest first):"),
      h("ul", { class: "changes" }, found.map(({ key, value, before }) =>
        h("li", {}, h("code", {}, `${key}=${value}`), ` (now ${grouped(before)})`))));
  }

  function show(page) {
    const { minutes, runs } = page.answered;
    const most = Math.max(2, ...Object.values(runs).flatMap((run) => run.steps.map((step) => step.segments)));
    const head = ["day", "minutes", "msg/s", "consumers", "segments", "at most", "at the end", "buckets", "splits", "merges", "rebuckets", "last in minute"];
    return [
      h("p", { class: "legend" },
        h("span", {}, h("i", { style: "background:var(--s1)" }), "segments"),
        h("span", {}, h("i", { style: "background:var(--s2)" }), "more entry buckets"),
        h("span", {}, h("i", { style: "background:var(--s5)" }), "load")),
      h("div", { class: "plots" }, Object.entries(runs).map(([edition, run]) =>
        h("figure", {}, h("figcaption", {}, h("b", {}, edition), counted(run)),
          drawn(run, minutes, most)))),
      ...Object.entries(runs).flatMap(([edition, run]) =>
        [h("h3", {}, edition), told(page, edition, run), table(head, run.rows.map(cells))]),
      h("p", { class: "quiet" }, "Each split and merge, and each segment with more entry buckets, makes producers and consumers reconnect, and leaves a sealed segment. Entry buckets are those of all segments at the end of the part. The last column counts from the beginning of the part."),
    ];
  }

  play("segments", { controls, show });
})();
