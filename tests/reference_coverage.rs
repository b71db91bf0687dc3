//! The generated cases: they reach every cell of the tables, each cell means one
//! thing, and a result that is decided again stays as it is.
//!
//! `cargo test --test reference_coverage -- --nocapture` prints how often each
//! cell was reached, and what is done in it.

#[cfg(test)]
mod reference;

#[cfg(test)]
mod coverage {
    use std::collections::{BTreeMap, BTreeSet};

    use crate::reference::coverage::{reachable, steps};
    use crate::reference::generate::{Case, generate};
    use crate::reference::{apply, decide_with_script};

    /// As many as it takes to reach every cell several times.
    const CASES: u64 = 80_000;

    #[test]
    fn generated_cases_reach_every_cell() {
        let mut counts: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let mut in_scope = 0;
        for seed in 0..CASES {
            let (outcome, steps) = steps(&generate(seed));
            in_scope += usize::from(outcome.trace.in_scope.is_some());
            for (cell, result) in steps {
                let (count, known) = counts.entry(cell.clone()).or_insert((0, result.clone()));
                *count += 1;
                // A cell that means two things forgets something the rules look at.
                assert_eq!(*known, result, "seed {seed}: {cell}");
            }
        }

        for (cell, (count, result)) in &counts {
            println!("{count:>8}  {cell} -> {result}");
        }
        println!("{in_scope} of {CASES} cases are in scope");
        let reached: BTreeSet<String> = counts.into_keys().collect();
        let reachable = reachable();
        println!("{} of {} cells reached", reached.len(), reachable.len());
        let missed: Vec<_> = reachable.difference(&reached).collect();
        assert!(
            missed.is_empty(),
            "cells that were not reached: {missed:#?}"
        );
        let unlisted: Vec<_> = reached.difference(&reachable).collect();
        assert!(
            unlisted.is_empty(),
            "cells that are not listed: {unlisted:#?}"
        );
    }

    #[test]
    fn result_decided_again_stays() {
        for seed in 0..CASES {
            let Case {
                request,
                settings,
                cluster,
            } = generate(seed);
            let outcome = decide_with_script(&request, &settings, &cluster);
            if outcome.allowed {
                let result = apply(&request, &outcome.modes);
                let again = decide_with_script(&result, &settings, &cluster);
                assert!(again.allowed, "seed {seed}");
                assert!(again.modes.is_empty(), "seed {seed}: {:?}", again.modes);
            }
        }
    }

    #[test]
    fn same_seed_gives_the_same_case() {
        assert_eq!(generate(7), generate(7));
        assert_ne!(generate(7), generate(8));
    }
}
