//! An adapter for evenkeel. Fill in one function per question; those left out are not asked.

mod evenkeel;

use evenkeel::{object, refuse, Json, Questions, Reply};

// Put your balancer's calls in place of these. `refuse` if it rejects the input on purpose, `skip` what it does
// not have. A panic is an observation too: that it broke. Print nothing: standard output is the protocol's.
fn main() {
    let questions = Questions { bundles_hash_lookup: Some(hash_lookup), ..Questions::default() };
    evenkeel::serve("my-balancer", "1", &questions);
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
