//! The imports of a waPC guest, as far as a policy uses them.

use std::sync::Arc;

use wasmtime::error::format_err;
use wasmtime::{Caller, Extern, Linker, Memory, Result};

use crate::calls::{Capabilities, HostCalls};
use crate::cluster::Cluster;
use crate::engine::GuestError;

/// WASI's "bad file descriptor": there is no file to write to.
const BADF: i32 = 8;

/// What one instance sees of its host.
pub(super) struct Guest {
    operation: Vec<u8>,
    payload: Vec<u8>,
    capabilities: Capabilities,
    /// What the last host call came to.
    reply: Result<Vec<u8>, String>,
    response: Option<Vec<u8>>,
    error: Option<Vec<u8>>,
}

impl Guest {
    pub fn new(operation: &str, payload: &[u8], cluster: Arc<dyn Cluster>) -> Self {
        Self {
            operation: operation.as_bytes().to_vec(),
            payload: payload.to_vec(),
            capabilities: Capabilities::new(cluster),
            reply: Ok(Vec::new()),
            response: None,
            error: None,
        }
    }

    pub fn take_response(&mut self) -> Result<Vec<u8>, GuestError> {
        let response = self.response.take();
        response.ok_or_else(|| GuestError::Failed("the guest gave no answer".to_owned()))
    }

    pub fn take_error(&mut self) -> String {
        String::from_utf8_lossy(&self.error.take().unwrap_or_default()).into_owned()
    }

    pub fn take_calls(&self) -> HostCalls {
        self.capabilities.take_calls()
    }

    fn response_of_host(&self) -> &[u8] {
        self.reply.as_deref().unwrap_or_default()
    }

    fn error_of_host(&self) -> &[u8] {
        self.reply.as_ref().err().map_or(&[], String::as_bytes)
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<Guest>) -> Result<()> {
    const WAPC: &str = "wapc";
    linker.func_wrap(
        WAPC,
        "__guest_request",
        |mut guest: Caller<'_, Guest>, operation: i32, payload: i32| {
            write(&mut guest, operation, |guest| &guest.operation)?;
            write(&mut guest, payload, |guest| &guest.payload)
        },
    )?;
    linker.func_wrap(
        WAPC,
        "__guest_response",
        |mut guest: Caller<'_, Guest>, at: i32, length: i32| {
            let response = read(&mut guest, at, length)?;
            guest.data_mut().response = Some(response);
            Ok(())
        },
    )?;
    linker.func_wrap(
        WAPC,
        "__guest_error",
        |mut guest: Caller<'_, Guest>, at: i32, length: i32| {
            let error = read(&mut guest, at, length)?;
            guest.data_mut().error = Some(error);
            Ok(())
        },
    )?;
    linker.func_wrap(WAPC, "__host_call", host_call)?;
    linker.func_wrap(
        WAPC,
        "__host_response",
        |mut guest: Caller<'_, Guest>, at: i32| write(&mut guest, at, Guest::response_of_host),
    )?;
    linker.func_wrap(WAPC, "__host_response_len", |guest: Caller<'_, Guest>| {
        length(guest.data().response_of_host())
    })?;
    linker.func_wrap(
        WAPC,
        "__host_error",
        |mut guest: Caller<'_, Guest>, at: i32| write(&mut guest, at, Guest::error_of_host),
    )?;
    linker.func_wrap(WAPC, "__host_error_len", |guest: Caller<'_, Guest>| {
        length(guest.data().error_of_host())
    })?;
    linker.func_wrap(WAPC, "__console_log", |_: i32, _: i32| {})?;
    add_wasi_to_linker(linker)
}

/// No environment, no files, no chance.
fn add_wasi_to_linker(linker: &mut Linker<Guest>) -> Result<()> {
    const WASI: &str = "wasi_snapshot_preview1";
    linker.func_wrap(WASI, "environ_get", |_: i32, _: i32| 0)?;
    linker.func_wrap(
        WASI,
        "environ_sizes_get",
        |mut guest: Caller<'_, Guest>, count: i32, size: i32| {
            fill(&mut guest, count, 4)?;
            fill(&mut guest, size, 4)
        },
    )?;
    linker.func_wrap(
        WASI,
        "random_get",
        |mut guest: Caller<'_, Guest>, at: i32, length: i32| fill(&mut guest, at, length),
    )?;
    linker.func_wrap(WASI, "fd_write", |_: i32, _: i32, _: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "proc_exit", |code: i32| -> Result<()> {
        Err(format_err!("the guest exits with code {code}"))
    })?;
    Ok(())
}

#[expect(
    clippy::too_many_arguments,
    reason = "the signature of waPC: four texts, each with its length"
)]
fn host_call(
    mut guest: Caller<'_, Guest>,
    binding_at: i32,
    binding_length: i32,
    namespace_at: i32,
    namespace_length: i32,
    operation_at: i32,
    operation_length: i32,
    payload_at: i32,
    payload_length: i32,
) -> Result<i32> {
    let mut text =
        |at, length| -> Result<String> { Ok(String::from_utf8(read(&mut guest, at, length)?)?) };
    let binding = text(binding_at, binding_length)?;
    let namespace = text(namespace_at, namespace_length)?;
    let operation = text(operation_at, operation_length)?;
    let payload = read(&mut guest, payload_at, payload_length)?;
    let guest = guest.data_mut();
    guest.reply = guest
        .capabilities
        .host_call(&binding, &namespace, &operation, &payload);
    Ok(i32::from(guest.reply.is_ok()))
}

fn memory(guest: &mut Caller<'_, Guest>) -> Result<Memory> {
    guest
        .get_export("memory")
        .and_then(Extern::into_memory)
        .ok_or_else(|| format_err!("the guest exports no memory"))
}

fn read(guest: &mut Caller<'_, Guest>, at: i32, length: i32) -> Result<Vec<u8>> {
    let memory = memory(guest)?;
    let mut bytes = vec![0; length.cast_unsigned() as usize];
    memory.read(&mut *guest, at.cast_unsigned() as usize, &mut bytes)?;
    Ok(bytes)
}

fn write(guest: &mut Caller<'_, Guest>, at: i32, bytes: fn(&Guest) -> &[u8]) -> Result<()> {
    let (memory, guest) = memory(guest)?.data_and_store_mut(guest);
    let bytes = bytes(guest);
    let start = at.cast_unsigned() as usize;
    memory
        .get_mut(start..start + bytes.len())
        .ok_or_else(|| format_err!("out of bounds memory access"))?
        .copy_from_slice(bytes);
    Ok(())
}

/// Writes zeros; the answer is WASI's for success.
fn fill(guest: &mut Caller<'_, Guest>, at: i32, length: i32) -> Result<i32> {
    let start = at.cast_unsigned() as usize;
    memory(guest)?
        .data_mut(guest)
        .get_mut(start..start + length.cast_unsigned() as usize)
        .ok_or_else(|| format_err!("out of bounds memory access"))?
        .fill(0);
    Ok(0)
}

fn length(bytes: &[u8]) -> Result<i32> {
    Ok(i32::try_from(bytes.len())?)
}
