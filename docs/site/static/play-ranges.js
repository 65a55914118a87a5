// The hash circle: bundles, topics, and where each algorithm cuts.
"use strict";

(() => {
  const { h, s, number, table, grouped, play, editions } = evenkeel;
  const ALL = 2 ** 32;
  const SIZE = 420;
  const MIDDLE = SIZE / 2;
  const RING = 140;
  const hex = (value) => `0x${value.toString(16).padStart(8, "0")}`;

  const at = (hash, radius) => {
    const angle = (2 * Math.PI * hash) / ALL - Math.PI / 2;
    return [MIDDLE + radius * Math.cos(angle), MIDDLE + radius * Math.sin(angle)];
  };

  function arc(lower, upper, radius) {
    if (upper - lower >= ALL - 1) upper = lower + ALL * 0.99999;
    const [from, to] = [at(lower, radius), at(upper, radius)];
    const large = upper - lower > ALL / 2 ? 1 : 0;
    return `M${from}A${radius},${radius},0,${large},1,${to}`;
  }

  function topics(text) {
    return text.split("\n").map((line) => line.trim().split(/\s+/)).filter(([name]) => name)
      .map(([name, load]) => [name, Number(load ?? 1)]);
  }

  function controls(page) {
    const text = h("textarea", {
      rows: 8, spellcheck: "false", "aria-label": "topics",
      value: page.request.topics.map((topic) => topic.join(" ")).join("\n"),
      onchange: () => page.ask({ topics: topics(text.value) }),
    });
    const limit = (label, name) => number(label, page.request.limits[name], (value) =>
      page.ask({ limits: { ...page.request.limits, [name]: value } }), { min: 0, step: 1 });
    return [
      h("div", { class: "row" },
        number("Bundles", page.request.bundles, (bundles) => page.ask({ bundles, cuts: [], bundle: null }), { min: 1, max: 1024, step: 1 }),
        limit("Messages a second of a bundle", "messages"),
        limit("Margin in percent", "difference")),
      h("details", {}, h("summary", {}, "Topics, each with its messages a second"), text),
    ];
  }

  function circle(page) {
    const { boundaries, bundles, chosen } = page.answered;
    const parts = bundles.map((bundle, place) =>
      s("path", {
        class: place === chosen ? "arc chosen" : `arc ${place % 2 ? "odd" : "even"}`,
        d: arc(boundaries[place], boundaries[place + 1], RING),
        tabindex: 0, role: "button",
        "aria-label": `bundle ${bundle.name}, ${bundle.topics} topics`,
        onclick: () => page.ask({ bundle: place }),
        onkeydown: (event) => event.key === "Enter" && page.ask({ bundle: place }),
      }, s("title", {}, `${bundle.name}: ${bundle.topics} topics, ${bundle.load} msg/s`)));
    if (boundaries.length <= 33) {
      for (const boundary of boundaries.slice(0, -1)) {
        const [[x1, y1], [x2, y2], [x, y]] = [at(boundary, RING - 16), at(boundary, RING + 16), at(boundary, RING + 30)];
        parts.push(s("line", { class: "boundary", x1, y1, x2, y2 }));
        if (boundaries.length <= 17) {
          const side = Math.abs(x - MIDDLE) < 12 ? "middle" : x > MIDDLE ? "start" : "end";
          parts.push(s("text", { x, y: y + 4, "text-anchor": side }, hex(boundary).slice(0, 6)));
        }
      }
    }
    const most = Math.max(1, ...page.answered.topics.map((topic) => topic.load));
    for (const topic of page.answered.topics) {
      const [cx, cy] = at(topic.hash, RING);
      const title = `${topic.name}: ${hex(topic.hash)}, ${topic.load} msg/s`;
      parts.push(s("circle", { class: "topic", cx, cy, r: 3 + 6 * Math.sqrt(topic.load / most) }, s("title", {}, title)));
    }
    const name = bundles[chosen].name.split("_");
    parts.push(
      s("text", { class: "big", x: MIDDLE, y: MIDDLE - 14, "text-anchor": "middle" }, `${bundles[chosen].topics} topics`),
      s("text", { class: "big", x: MIDDLE, y: MIDDLE + 8, "text-anchor": "middle" }, `${grouped(bundles[chosen].load)} msg/s`),
      s("text", { x: MIDDLE, y: MIDDLE + 30, "text-anchor": "middle" }, name.join(" to ")));
    ALGORITHMS.forEach(([algorithm], place) => {
      const cuts = page.answered.cuts.PULSAR_4_0[algorithm];
      if (!Array.isArray(cuts)) return;
      for (const cut of cuts) {
        const [[x1, y1], [x2, y2]] = [at(cut, RING - 30 - 12 * place), at(cut, RING + 12)];
        parts.push(s("line", { class: "cut", style: `stroke:var(--s${place + 2})`, x1, y1, x2, y2 }, s("title", {}, `${algorithm}: ${hex(cut)}`)));
      }
    });
    return s("svg", { viewBox: `-40 0 ${SIZE + 80} ${SIZE}`, class: "circle", role: "img", "aria-label": "the hash circle" }, parts);
  }

  const ALGORITHMS = [["range_equally_divide"], ["topic_count_equally_divide"], ["flow_or_qps_equally_divide"]];
  const told = (cuts) => (Array.isArray(cuts) ? cuts.map(hex).join(", ") || "no cut" : cuts);

  function show(page) {
    const rows = ALGORITHMS.map(([name], place) => {
      const [one, other] = editions.map((edition) => page.answered.cuts[edition][name]);
      const label = h("span", { class: "legend" }, h("span", {}, h("i", { style: `background:var(--s${place + 2})` }), name));
      const cut = () => page.ask({ cuts: [...new Set([...page.request.cuts, ...other])], bundle: null });
      const usable = Array.isArray(other) && other.length;
      const button = usable ? h("button", { type: "button", onclick: cut }, "Cut so") : "";
      return { class: told(one) === told(other) ? "" : "differs", cells: [label, told(one), told(other), button] };
    });
    const whole = () => page.ask({ cuts: [], bundle: null });
    const topics_of = page.answered.topics.filter((topic) => inside(page, topic.hash)).sort((a, b) => a.hash - b.hash);
    return [
      circle(page),
      h("div", {}, h("h3", {}, `Where ${page.answered.bundles[page.answered.chosen].name} would be cut`),
        table(["algorithm", ...editions, ""], rows, "answers"),
        page.request.cuts.length ? h("p", { class: "buttons" }, h("button", { type: "button", onclick: whole }, "Undo the cuts")) : null,
        h("h3", {}, "Its topics"),
        table(["hash", "topic", "msg/s"], topics_of.map((t) => ({ cells: [hex(t.hash), t.name, grouped(t.load)] })), "answers")),
    ];
  }

  function inside(page, hash) {
    const { boundaries, chosen } = page.answered;
    const last = chosen === boundaries.length - 2;
    return hash >= boundaries[chosen] && (hash < boundaries[chosen + 1] || last);
  }

  play("ranges", { controls, show });
})();
