//! Rounds of all contenders, one input after the other.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::Error;
use crate::contender::Decide;
use crate::inputs::Input;
use crate::modules::{Module, UNREAD};

/// How long one input is measured, within the bounds of `ROUNDS`.
const TIME: Duration = Duration::from_secs(5);

/// Rounds per input; odd, so that the median is one of them.
const ROUNDS: std::ops::RangeInclusive<usize> = 31..=4001;

/// One measurement, as it stands in `target/bench/policy.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Name of the input.
    pub input: String,
    /// Name of the contender.
    pub module: &'static str,
    /// Median of one decision, in nanoseconds.
    pub wall_ns_median: u64,
    /// The same, divided by the floor's.
    pub over_floor: f64,
    /// About one unit per WebAssembly instruction; none where it cannot be counted.
    pub fuel: Option<u64>,
    /// Size of the linear memory at the end; none without one, or where it cannot be seen.
    pub peak_memory_bytes: Option<usize>,
    /// Pages of 4 KiB that the call writes; none where that cannot be seen.
    pub written_pages: Option<usize>,
    /// Size of the file; none if it is no file.
    pub module_bytes: Option<usize>,
}

/// Measures one input: first whether all agree, then what it costs, then the time.
///
/// # Errors
///
/// If a contender fails, or decides otherwise than the policy.
pub fn measure(modules: &[Module], input: &Input) -> Result<Vec<Row>, Error> {
    let decisions: Vec<_> = modules
        .iter()
        .map(|module| module.contender.prepare(input))
        .collect();
    agree(modules, &decisions, input)?;
    let medians = rounds(&decisions)?;
    let floor = medians.first().copied().unwrap_or(1).max(1);
    let rows = modules.iter().zip(medians).map(|(module, median)| {
        let cost = module.contender.cost(input)?;
        Ok(Row {
            input: input.name.clone(),
            module: module.name,
            wall_ns_median: median,
            over_floor: median as f64 / floor as f64,
            fuel: cost.fuel,
            peak_memory_bytes: cost.peak_memory_bytes,
            written_pages: cost.written_pages,
            module_bytes: module.bytes,
        })
    });
    rows.collect()
}

/// Every contender that reads the payload leaves the same object.
fn agree(modules: &[Module], decisions: &[Decide<'_>], input: &Input) -> Result<(), Error> {
    let mut expected = None;
    for (module, decide) in modules.iter().zip(decisions) {
        let object = decide()
            .and_then(|answer| answer.object(&input.request))
            .map_err(|error| format!("{}, {}: {error}", input.name, module.name))?;
        if UNREAD.contains(&module.name) {
            continue;
        }
        let expected = expected.get_or_insert_with(|| object.clone());
        if *expected != object {
            let patch = json_patch::diff(expected, &object);
            return Err(format!("{}: {} differs by {patch}", input.name, module.name).into());
        }
    }
    Ok(())
}

/// The median of each contender, in nanoseconds. Each round has every contender once, in an order of its
/// own, so that what else the machine does falls on all alike; a call that is not timed goes before the
/// one that is, so that nobody pays for the caches that the one before left.
fn rounds(decisions: &[Decide<'_>]) -> Result<Vec<u64>, Error> {
    let mut turns: Vec<_> = decisions
        .iter()
        .map(|decide| (decide, Vec::new()))
        .collect();
    let mut order: Vec<_> = (0..turns.len()).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15;
    let begin = Instant::now();
    for round in 0..*ROUNDS.end() {
        if round >= *ROUNDS.start() && round % 2 == 1 && begin.elapsed() > TIME {
            break;
        }
        shuffle(&mut order, &mut random);
        for turn in &order {
            if let Some((decide, times)) = turns.get_mut(*turn) {
                drop(decide()?);
                let start = Instant::now();
                let answer = decide()?;
                times.push(start.elapsed());
                drop(answer);
            }
        }
    }
    Ok(turns.iter_mut().map(|(_, times)| median(times)).collect())
}

/// Fisher and Yates, with the numbers of a xorshift generator.
fn shuffle(order: &mut [usize], random: &mut u64) {
    for last in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        order.swap(last, (*random % (last as u64 + 1)) as usize);
    }
}

fn median(times: &mut [Duration]) -> u64 {
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    u64::try_from(median.as_nanos()).unwrap_or(u64::MAX)
}
