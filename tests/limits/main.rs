//! The module under the limits of a real host: time, memory, and no growth beyond the input's.
//!
//! The table goes to `target/bench/limits.json`; `make limits` prints it, `make bench-docs` puts it
//! into docs/robustness.md.

#[cfg(test)]
mod loads;

#[cfg(test)]
#[path = "../policy/support.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod support;

#[cfg(test)]
mod limits {
    use std::time::Duration;

    use imagestream_import_mode_host::{GuestError, Metered, MeteredPolicy, WapcPolicy};
    use rustix::time::{ClockId, clock_gettime};
    use serde_json::{Value, json};

    use imagestream_import_mode_report::{Table, machine, publish};

    use crate::loads::{LOADS, Load};
    use crate::support::{MODULE, project};

    const MAX_MEMORY: usize = 64 << 20;
    const MAX_GROWTH: f64 = 2.3;

    /// What a call may take, as processor time of the thread that makes it. The table says how long it
    /// took. Asserted is `SLACK` times as much, because the machines of a CI are slower and shared;
    /// what must not get worse is asserted as fuel, which is the same everywhere.
    const MAX_TIME: Duration = Duration::from_millis(50);
    const SLACK: u32 = 3;

    /// What the module spends in `MAX_TIME` or less: 0.04 to 0.1 ns a unit, measured.
    const MAX_FUEL: u64 = 750_000_000;

    /// Loads beyond `MAX_FUEL`, with what they may spend instead: they are made of what no API server
    /// lets through.
    const EXPENSIVE: &[(&str, u64)] = &[("tag names of many keys", 900_000_000)];

    /// Runs per load, of which the fastest counts: what else the machine does can only slow a run
    /// down. More are added as long as the limit is not met.
    const RUNS: std::ops::Range<usize> = 3..10;

    fn max_fuel(load: &str) -> u64 {
        let expensive = EXPENSIVE.iter().find(|(name, _)| *name == load);
        expensive.map_or(MAX_FUEL, |(_, fuel)| *fuel)
    }

    struct Row {
        name: &'static str,
        payload: usize,
        answer: usize,
        /// The longest there is after a trap.
        time: Duration,
        memory: usize,
        fuel: u64,
        growth: f64,
    }

    fn metered(policy: &MeteredPolicy, load: &Load, size: usize) -> (usize, Metered) {
        let (payload, replies) = (load.build)(size);
        let metered = policy.call(load.operation, payload.as_bytes(), replies.cluster());
        (payload.len(), metered.unwrap())
    }

    /// The time that this thread has had a processor, so that waiting for one does not count.
    fn thread_time() -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(
            time.tv_sec.unsigned_abs(),
            u32::try_from(time.tv_nsec).unwrap(),
        )
    }

    /// Start, `wapc_init`, the call and the copies that the waPC host makes; nothing is left out.
    fn fastest(policy: &WapcPolicy, load: &Load) -> Result<Duration, GuestError> {
        let (payload, replies) = (load.build)(load.size);
        let cluster = replies.cluster();
        let mut fastest = Duration::MAX;
        for run in 0..RUNS.end {
            if run >= RUNS.start && fastest <= MAX_TIME {
                break;
            }
            let start = thread_time();
            let call = policy.call(load.operation, payload.as_bytes(), cluster.clone());
            let time = thread_time() - start;
            call.unwrap().answer?;
            fastest = fastest.min(time);
        }
        Ok(fastest)
    }

    fn measure(counting: &MeteredPolicy, limited: &WapcPolicy, load: &Load) -> Row {
        let (_, half) = metered(counting, load, load.size / 2);
        let (payload, full) = metered(counting, load, load.size);
        assert!(half.answer.is_ok(), "{}, half: {half:?}", load.name);
        let answer = full
            .answer
            .unwrap_or_else(|error| panic!("{}: {error}", load.name));
        let start = String::from_utf8_lossy(&answer[..answer.len().min(200)]);
        assert!(start.starts_with(load.answer), "{}: {start}", load.name);
        assert!(full.calls.log.len() <= 1, "{}", load.name);
        Row {
            name: load.name,
            payload,
            answer: answer.len(),
            time: fastest(limited, load).unwrap_or(Duration::MAX),
            memory: full.peak_memory_bytes,
            fuel: full.fuel,
            growth: full.fuel as f64 / half.fuel as f64,
        }
    }

    fn table(rows: &[Row]) -> Table {
        let mut table = Table::new([
            "load",
            "payload bytes",
            "answer bytes",
            "ms",
            "MiB",
            "million fuel",
            "growth",
        ]);
        for row in rows {
            table.row([
                row.name.to_owned(),
                row.payload.to_string(),
                row.answer.to_string(),
                format!("{:.1}", row.time.as_secs_f64() * 1e3),
                format!("{:.1}", row.memory as f64 / f64::from(1 << 20)),
                format!("{:.1}", row.fuel as f64 / 1e6),
                format!("{:.2}", row.growth),
            ]);
        }
        table
    }

    /// The loads that take longer than is promised, in a sentence.
    fn slow(rows: &[Row]) -> String {
        let slow: Vec<_> = rows.iter().filter(|row| row.time > MAX_TIME).collect();
        let limit = MAX_TIME.as_millis();
        if slow.is_empty() {
            return format!("No load takes longer than {limit} ms.");
        }
        let slow: Vec<_> = slow
            .iter()
            .map(|row| format!("{} ({:.0} ms)", row.name, row.time.as_secs_f64() * 1e3))
            .collect();
        format!("Longer than {limit} ms: {}.", slow.join("; "))
    }

    fn write(rows: &[Row]) {
        let text = format!("{}.\n\n{}\n{}", machine(), table(rows), slow(rows));
        let rows: Vec<Value> = rows
            .iter()
            .map(|row| {
                json!({
                    "name": row.name,
                    "payload_bytes": row.payload,
                    "answer_bytes": row.answer,
                    "time_ms": row.time.as_secs_f64() * 1e3,
                    "in_time": row.time <= MAX_TIME,
                    "peak_memory_bytes": row.memory,
                    "fuel": row.fuel,
                    "fuel_growth": row.growth,
                })
            })
            .collect();
        let limits = json!({
            "limits": {
                "time_ms": MAX_TIME.as_millis() as u64,
                "peak_memory_bytes": MAX_MEMORY,
                "fuel": MAX_FUEL,
                "fuel_growth": MAX_GROWTH,
            },
            "loads": rows,
        });
        publish("limits", &limits, &text).unwrap();
    }

    #[test]
    fn expensive_loads_exist() {
        for (name, fuel) in EXPENSIVE {
            assert!(LOADS.iter().any(|load| load.name == *name), "{name}");
            assert!(*fuel > MAX_FUEL, "{name}");
        }
    }

    #[test]
    fn the_document_has_every_load() {
        let document = std::fs::read_to_string(project("docs/robustness.md")).unwrap();
        let (_, section) = document.split_once("## Time and memory").unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
        let names: Vec<_> = rows
            .filter_map(|row| row.split_once(" | "))
            .map(|(name, _)| name)
            .skip_while(|name| *name == "load")
            .collect();
        let loads: Vec<_> = LOADS.iter().map(|load| load.name).collect();
        assert_eq!(names, loads);
    }

    #[test]
    fn every_load_stays_within_the_limits() {
        let counting = MeteredPolicy::new(&MODULE).unwrap();
        let limited = WapcPolicy::with_max_memory(&MODULE, MAX_MEMORY).unwrap();
        let mut rows = Vec::new();
        let mut faults = Vec::new();
        for load in LOADS {
            let row = measure(&counting, &limited, load);
            let mut check = |what: &str, within: bool| {
                if !within {
                    faults.push(format!("{}: {what}", row.name));
                }
            };
            check("trap", row.time < Duration::MAX);
            check("fuel", row.fuel <= max_fuel(row.name));
            let factor = max_fuel(row.name).div_ceil(MAX_FUEL);
            let allowed = MAX_TIME * SLACK * u32::try_from(factor).unwrap();
            check("time", row.time <= allowed);
            check("memory", row.memory <= MAX_MEMORY);
            check("growth", row.growth <= MAX_GROWTH);
            rows.push(row);
        }
        write(&rows);
        assert_eq!(faults, Vec::<String>::new());
    }
}
