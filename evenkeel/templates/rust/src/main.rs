//! An adapter for evenkeel. Fill in one function per question; those left out are not asked.

mod evenkeel;

use evenkeel::{object, refuse, Json, Questions, Reply};

// Put your balancer's calls in place of these. `refuse` if it rejects the input on purpose, `skip` what it does
// not have. A panic is an observation too: that it broke. Print nothing: standard output is the protocol's.
fn main() {
    let questions = Questions {
        contract_rebalance: Some(rebalance),
        bundles_hash_lookup: Some(hash_lookup),
        ..Questions::default()
    };
    evenkeel::serve("my-balancer", "1", &questions);
}

// A strategy of your own: which units move in this turn? It promises what it is held to.
fn rebalance(turn: &Json) -> Reply {
    if turn.text("do") == "open" {
        let promises = object(&[
            ("measure", "count".into()),
            ("trigger", 1.into()),
            ("memory", false.into()),
            ("knows", vec!["joins", "changes", "unserved"].into()),
        ]);
        return Ok(object(&[("promises", promises)]));
    }
    let (nodes, units) = (turn.get("nodes").as_list(), turn.get("units").as_list());
    let none: Vec<Json> = Vec::new();
    let held = |name: &str| {
        units.iter().filter(|unit| matches!(unit.get("node"), Json::Text(node) if node == name)).count()
    };
    let mut names: Vec<&str> = nodes.iter().map(|node| node.text("name")).collect();
    names.sort_by_key(|name| held(name));
    if names.is_empty() || units.iter().any(|unit| unit.get("moving").as_bool()) {
        return Ok(object(&[("moves", none.into())]));
    }
    let (least, most) = (names[0], names[names.len() - 1]);
    let uneven = held(most) - held(least) > 1;
    for unit in units {
        let node = match unit.get("node") {
            Json::Text(node) => Some(node.as_str()),
            _ => None,
        };
        if node.is_none() || (uneven && node == Some(most)) {
            let unit = unit.text("name");
            let moved = object(&[("unit", unit.into()), ("from", node.into()), ("to", least.into())]);
            return Ok(object(&[("moves", vec![moved].into())]));
        }
    }
    Ok(object(&[("moves", none.into())]))
}

fn hash_lookup(trial: &Json) -> Reply {
    let bounds = trial.integers("boundaries");
    let hash = trial.integer("hash");
    for pair in bounds.windows(2) {
        let (lower, upper) = (pair[0], pair[1]);
        let last = upper == 0xFFFF_FFFF;
        if lower <= hash && (hash < upper || last) {
            let bundle = object(&[
                ("lower", lower.into()),
                ("upper", upper.into()),
                ("upper_included", last.into()),
            ]);
            return Ok(object(&[("bundle", bundle)]));
        }
    }
    refuse("NoBundle", "no bundle holds the hash")
}
