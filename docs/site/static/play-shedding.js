// Five strategies on a small cluster, round by round, in both editions.
"use strict";

(() => {
  const { h, number, field, table, percent, play, editions } = evenkeel;
  const STRATEGIES = {
    overload: ["OverloadShedder", { loadBalancerBrokerOverloadedThresholdPercentage: 85 }],
    threshold: [
      "ThresholdShedder",
      {
        loadBalancerBrokerThresholdShedderPercentage: 10,
        loadBalancerHistoryResourcePercentage: 0.9,
        loadBalancerBundleUnloadMinThroughputThreshold: 10,
      },
    ],
    uniform: [
      "UniformLoadShedder",
      {
        loadBalancerMsgRateDifferenceShedderThreshold: 50,
        loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold: 4,
        maxUnloadPercentage: 0.2,
      },
    ],
    transfer: [
      "TransferShedder",
      {
        loadBalancerBrokerLoadTargetStd: 0.25,
        loadBalancerSheddingConditionHitCountThreshold: 3,
        loadBalanceSheddingDelayInSeconds: 180,
      },
    ],
    avg: [
      "AvgShedder",
      {
        loadBalancerAvgShedderLowThreshold: 15,
        loadBalancerAvgShedderHighThreshold: 40,
        loadBalancerAvgShedderHitCountLowThreshold: 8,
        loadBalancerAvgShedderHitCountHighThreshold: 2,
      },
    ],
  };
  const ALL = { loadBalancerSheddingGracePeriodMinutes: 30 };
  let chosen = "threshold";

  const numbers = (text) => text.split(/[\s,;]+/).filter(Boolean).map(Number);

  function brokers(page) {
    const rows = h("div", { class: "brokers" });
    const draw = () =>
      rows.replaceChildren(
        ...page.request.brokers.map((loads, place) => {
          const input = h("input", {
            type: "text",
            inputmode: "decimal",
            value: loads.join(" "),
            onchange: () => {
              page.request.brokers[place] = numbers(input.value);
              page.ask({});
            },
          });
          return field(`broker-${place + 1}`, input);
        }),
      );
    const change = (edit) => () => {
      edit(page.request.brokers);
      draw();
      page.ask({});
    };
    draw();
    return h(
      "fieldset",
      {},
      h("legend", {}, "Loads of each broker's bundles, in percent of a broker"),
      rows,
      h("p", { class: "buttons" },
        h("button", { type: "button", onclick: change((all) => all.push([])) }, "A broker more"),
        h("button", { type: "button", onclick: change((all) => all.pop()) }, "A broker less")),
    );
  }

  function thresholds(page) {
    const group = ([title, settings]) =>
      h("fieldset", {}, h("legend", {}, title),
        Object.entries(settings).map(([key, value]) =>
          number(key, value, (given) => {
            page.request.settings[key] = given;
            page.ask({});
          }),
        ));
    return h("details", { class: "thresholds" }, h("summary", {}, "Thresholds and other settings"),
      h("div", { class: "groups" }, group(["All strategies", ALL]),
        Object.values(STRATEGIES).map(group)));
  }

  function summary(page) {
    const cell = ({ unloads, last, highest, lowest }) =>
      unloads
        ? `${unloads} moved, last in minute ${last}; ${percent(lowest)} to ${percent(highest)}`
        : `nothing moved; ${percent(lowest)} to ${percent(highest)}`;
    const rows = Object.entries(STRATEGIES).map(([name, [title]]) => {
      const runs = editions.map((edition) => page.answered[name][edition]);
      const differ = JSON.stringify(runs[0].rounds) !== JSON.stringify(runs[1].rounds);
      const pick = () => {
        chosen = name;
        page.redraw();
      };
      const button = h("button", { type: "button", class: "pick", "aria-pressed": name === chosen ? "true" : "false", onclick: pick }, title);
      const mark = differ ? h("span", { class: "mark" }, "≠") : "";
      return { class: name === chosen ? "chosen" : "", cells: [button, cell(runs[0]), mark, cell(runs[1])] };
    });
    return table(["", editions[0], "", editions[1]], rows, "summary");
  }

  // Rounds in which nothing is other than before are told in one line.
  function rounds(page, edition) {
    const run = page.answered[chosen][edition];
    const loads = page.request.brokers.flat();
    const names = Object.values(run.rounds[0].brokers).flatMap((broker) => broker.bundles).sort();
    const number_of = new Map(names.map((name, place) => [name, place]));
    const parts = [];
    let quiet = [];
    let before = "";
    const hush = () => {
      if (!quiet.length) return;
      const [first, end] = [quiet[0], quiet[quiet.length - 1]];
      const text = first === end ? `minute ${first}` : `minutes ${first} to ${end}`;
      parts.push(h("p", { class: "quiet" }, `${text}: nothing changes`));
      quiet = [];
    };
    for (const round of run.rounds) {
      const state = JSON.stringify([round.brokers, round.away]);
      if (state === before && !round.moves.length) {
        quiet.push(round.minute);
        continue;
      }
      hush();
      before = state;
      parts.push(drawn(round, loads, number_of));
    }
    hush();
    return h("section", { class: "edition" }, h("h3", {}, edition), parts);
  }

  function drawn(round, loads, number_of) {
    const most = Math.max(100, ...Object.values(round.brokers).map((b) => 100 * b.usage));
    const leaving = new Set(round.moves.map((move) => move.bundle));
    const label = (bundle) => `b${number_of.get(bundle) + 1}`;
    const bar = ([name, broker]) =>
      h("div", { class: "broker" }, h("span", { class: "name" }, name),
        h("span", { class: "bar" },
          broker.bundles.map((bundle) => {
            const place = number_of.get(bundle);
            const style = `width:${(100 * loads[place]) / most}%;--hue:${(place * 47) % 360}`;
            const sort = leaving.has(bundle) ? "bundle leaving" : "bundle";
            const title = `${label(bundle)}: ${loads[place]} %`;
            return h("i", { class: sort, style, title }, loads[place] / most > 0.055 ? label(bundle) : "");
          })),
        h("span", { class: "usage" }, percent(broker.usage)));
    const move = ({ bundle, from, to, reason }) =>
      h("li", {}, h("b", {}, label(bundle)), ` (${loads[number_of.get(bundle)]} %): ${from} → ${to || "?"}`,
        h("small", {}, ` ${reason}`));
    const away = round.away.length
      ? h("p", { class: "quiet" }, `on the way: ${round.away.map(label).join(", ")}`)
      : null;
    return h("div", { class: "round" }, h("h4", {}, `minute ${round.minute}`),
      Object.entries(round.brokers).map(bar), away,
      round.moves.length ? h("ul", {}, round.moves.map(move)) : null);
  }

  play("shedding", {
    controls: (page) => [
      brokers(page),
      h("div", { class: "row" },
        number("Rounds, in minutes", page.request.rounds, (rounds) => page.ask({ rounds }), { min: 1, max: 90, step: 1 })),
      thresholds(page),
    ],
    show: (page) => [
      summary(page),
      h("h2", {}, STRATEGIES[chosen][0]),
      h("div", { class: "beside" }, editions.map((edition) => rounds(page, edition))),
    ],
  });
})();
