//! The waPC module in a plain wasmtime host that counts: fuel, memory, host calls.
//!
//! Fuel is about one unit per executed WebAssembly instruction. It is the same on every machine and
//! in every run, because nothing that the guest can see varies: random bytes are zeros, there is no
//! environment. Time is measured elsewhere: counting makes the guest slower.

mod guest;

use std::iter;
use std::sync::Arc;

use wasmtime::{Config, Engine, InstancePre, Linker, Module, Store};

use self::guest::Guest;
use crate::calls::HostCalls;
use crate::cluster::Cluster;
use crate::door::HostError;
use crate::engine::GuestError;

/// More than any call may use: a guest that spends it has lost its way.
const FUEL: u64 = 20_000_000_000;

/// A compiled waPC module; every call runs in an instance of its own and is measured.
pub struct MeteredPolicy {
    engine: Engine,
    pre: InstancePre<Guest>,
    fuel: u64,
}

/// One call of a guest function and what it cost.
#[derive(Debug)]
pub struct Metered {
    /// The bytes it answered with.
    pub answer: Result<Vec<u8>, GuestError>,
    /// Fuel for start, `wapc_init` and the call.
    pub fuel: u64,
    /// Size of the linear memory at the end. It never shrinks, so this is its peak.
    pub peak_memory_bytes: usize,
    /// Pages of 4 KiB that differ at the end from what they were in the new instance. The operating
    /// system makes each of them for the instance, which takes about a microsecond.
    pub written_pages: usize,
    /// What it asked of the host.
    pub calls: HostCalls,
}

impl MeteredPolicy {
    /// Compiles a module.
    ///
    /// # Errors
    ///
    /// [`HostError::Module`] if it is no core WebAssembly module.
    pub fn new(module: &[u8]) -> Result<Self, HostError> {
        Self::compile(module).map_err(|error| HostError::Module(error.to_string()))
    }

    fn compile(module: &[u8]) -> wasmtime::Result<Self> {
        let engine = Engine::new(Config::new().consume_fuel(true))?;
        let module = Module::new(&engine, module)?;
        let mut linker = Linker::new(&engine);
        guest::add_to_linker(&mut linker)?;
        // WASI functions that the guest names but does not call.
        linker.define_unknown_imports_as_traps(&module)?;
        let pre = linker.instantiate_pre(&module)?;
        let fuel = FUEL;
        Ok(Self { engine, pre, fuel })
    }

    /// Calls a guest function by its waPC name, in a fresh instance.
    ///
    /// # Errors
    ///
    /// [`HostError::Start`] if the module does not start or `wapc_init` fails.
    pub fn call(
        &self,
        operation: &str,
        payload: &[u8],
        cluster: Arc<dyn Cluster>,
    ) -> Result<Metered, HostError> {
        let guest = Guest::new(operation, payload, cluster);
        let mut store = Store::new(&self.engine, guest);
        self.run(&mut store, operation.len(), payload.len())
            .map_err(|error| HostError::Start(format!("{error:#}")))
    }

    /// The outer error is that of the start, that of the call becomes the answer.
    fn run(
        &self,
        store: &mut Store<Guest>,
        operation: usize,
        payload: usize,
    ) -> wasmtime::Result<Metered> {
        store.set_fuel(self.fuel)?;
        let instance = self.pre.instantiate(&mut *store)?;
        let memory = instance.get_memory(&mut *store, "memory");
        let before = memory.map_or_else(Vec::new, |memory| memory.data(&*store).to_vec());
        for start in ["_start", "wapc_init"] {
            if let Ok(start) = instance.get_typed_func::<(), ()>(&mut *store, start) {
                start.call(&mut *store, ())?;
            }
        }
        let call = instance.get_typed_func::<(i32, i32), i32>(&mut *store, "__guest_call")?;
        let lengths = (i32::try_from(operation)?, i32::try_from(payload)?);
        let called = call.call(&mut *store, lengths);
        let fuel = self.fuel - store.get_fuel()?;
        let after = memory.map_or(&[][..], |memory| memory.data(&*store));
        let (peak_memory_bytes, written_pages) = (after.len(), differing_pages(&before, after));
        let guest = store.data_mut();
        Ok(Metered {
            answer: match called {
                Ok(1) => guest.take_response(),
                Ok(_) => Err(GuestError::Failed(guest.take_error())),
                Err(trap) => Err(GuestError::Failed(format!("{trap:#}"))),
            },
            fuel,
            peak_memory_bytes,
            written_pages,
            calls: guest.take_calls(),
        })
    }
}

/// Pages of `after` that are not as in `before`, which may be shorter: what it lacks was zero.
fn differing_pages(before: &[u8], after: &[u8]) -> usize {
    const PAGE: usize = 4096;
    let old = before
        .chunks(PAGE)
        .chain(iter::repeat([0; PAGE].as_slice()));
    let pages = after.chunks(PAGE).zip(old);
    pages.filter(|(new, old)| new != old).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::NoCluster;

    fn call(body: &str) -> Metered {
        let module = format!(
            r#"(module
                (import "wapc" "__guest_response" (func $respond (param i32 i32)))
                (import "wapc" "__guest_error" (func $fail (param i32 i32)))
                (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
                (memory (export "memory") 2)
                (data (i32.const 0) "hello")
                (func (export "__guest_call") (param i32 i32) (result i32) {body}))"#
        );
        let mut policy = MeteredPolicy::new(module.as_bytes()).unwrap();
        policy.fuel = 1_000_000;
        policy.call("f", b"", Arc::new(NoCluster)).unwrap()
    }

    #[test]
    fn fuel_counts_instructions_and_memory_its_peak() {
        let answers = "(call $respond (i32.const 0) (i32.const 5)) (i32.const 1)";
        let plain = call(answers);
        assert_eq!(plain.answer.unwrap(), b"hello");
        assert_eq!(plain.peak_memory_bytes, 2 << 16);
        assert_eq!(plain.calls, HostCalls::default());
        let more = call(&format!("(drop (memory.grow (i32.const 3))) {answers}"));
        assert_eq!(more.peak_memory_bytes, 5 << 16);
        // `drop` is free.
        assert_eq!(more.fuel - plain.fuel, 2);
    }

    #[test]
    fn pages_count_where_something_else_stands_than_before() {
        let written = |stores: &str| {
            let answers = "(call $respond (i32.const 0) (i32.const 5)) (i32.const 1)";
            call(&format!("{stores} {answers}")).written_pages
        };
        assert_eq!(written(""), 0);
        assert_eq!(
            written("(i32.store8 (i32.const 0) (i32.const 104))"),
            0,
            "h again"
        );
        assert_eq!(written("(i32.store (i32.const 4094) (i32.const -1))"), 2);
        assert_eq!(
            written(
                "(drop (memory.grow (i32.const 1))) (i32.store (i32.const 131072) (i32.const 1))"
            ),
            1
        );
    }

    #[test]
    fn what_is_no_answer_is_a_failure() {
        let failed = |body: &str| call(body).answer.unwrap_err().to_string();
        assert_eq!(
            failed("(call $fail (i32.const 1) (i32.const 3)) (i32.const 0)"),
            "ell"
        );
        assert_eq!(failed("(i32.const 1)"), "the guest gave no answer");
        for (body, reason) in [
            ("unreachable", "wasm `unreachable` instruction executed"),
            (
                "(loop (br 0)) (i32.const 1)",
                "all fuel consumed by WebAssembly",
            ),
            ("(call $yield)", "unknown import"),
            (
                "(call $respond (i32.const 131070) (i32.const 5)) (i32.const 1)",
                "out of bounds memory access",
            ),
        ] {
            let text = failed(body);
            assert!(text.contains(reason), "{text}");
        }
    }

    #[test]
    fn what_is_no_module_is_said_to_be_none() {
        let error = MeteredPolicy::new(b"\0asm\x0d\0\x01\0").err().unwrap();
        let text = error.to_string();
        assert!(text.starts_with("not a waPC module: "), "{text}");
    }
}
