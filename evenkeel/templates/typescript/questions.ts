// Fill in one function per question; those left out are not asked. This file starts nothing, so that tests of your
// own can import it.
import { Questions, Refused } from "./evenkeel";

// Put your balancer's calls in place of these. Throw `Refused` if it rejects the input on purpose, `Skipped` for
// what it does not have. Anything else that is thrown is an observation too: that it broke. Integers that can
// be above 2^53 come as a bigint (the types say which), and such a one in an answer is sent as it is.
export const questions: Partial<Questions> = {
  // A strategy of your own: which units move in this turn? It promises what it is held to.
  "contract.rebalance": (turn) => {
    if (turn.do === "open") {
      return { promises: { measure: "count", trigger: 1, memory: false, knows: ["joins", "changes", "unserved"] } };
    }
    const held = new Map(turn.nodes.map((node) => [node.name, 0]));
    for (const unit of turn.units) {
      if (unit.moving) return { moves: [] };
      if (unit.node !== null) held.set(unit.node, held.get(unit.node)! + 1);
    }
    const names = [...held.keys()].sort((a, b) => held.get(a)! - held.get(b)!);
    const [least, most] = [names[0], names[names.length - 1]];
    const uneven = held.get(most)! - held.get(least)! > 1;
    const unit = turn.units.find((one) => one.node === null || (uneven && one.node === most));
    return { moves: unit === undefined ? [] : [{ unit: unit.name, from: unit.node, to: least }] };
  },
  "bundles.hash_lookup": (trial) => {
    for (let i = 0; i + 1 < trial.boundaries.length; i++) {
      const [lower, upper] = [trial.boundaries[i], trial.boundaries[i + 1]];
      const last = upper === 0xffffffff;
      if (lower <= trial.hash && (trial.hash < upper || last)) {
        return { bundle: { lower, upper, upper_included: last } };
      }
    }
    throw new Refused("NoBundle", "no bundle holds the hash");
  },
};
