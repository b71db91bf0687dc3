//! The exports of OPA's WebAssembly ABI 1.3 (<https://www.openpolicyagent.org/docs/wasm>).
//!
//! Addresses come from the host and are trusted, as everywhere in this ABI: they are what another
//! export returned, or 0. The documents behind them are not trusted.

#![expect(
    unsafe_code,
    reason = "the ABI passes addresses, and hosts find the exports by their unmangled names"
)]

use std::alloc::{Layout, alloc};
use std::slice;

use crate::heap;
use crate::path::{PathError, patched};
use crate::policy;

/// A value of the ABI: JSON text, followed by the zero byte that hosts read up to.
pub(crate) struct Value {
    terminated: &'static [u8],
}

/// What one evaluation works on.
pub(crate) struct Context {
    input: *const Value,
    data: *const Value,
    entrypoint: i32,
    result: *const Value,
}

/// The only entrypoint, `policy/main`.
const MAIN: i32 = 0;

static ENTRYPOINTS: Value = Value {
    terminated: b"{\"policy/main\":0}\0",
};

static BUILTINS: Value = Value {
    terminated: b"{}\0",
};

/// The result set of an entrypoint that does not exist.
const UNDEFINED: &str = "[]";

impl Value {
    fn new(text: &[u8]) -> Self {
        let mut terminated = Vec::with_capacity(text.len() + 1);
        terminated.extend_from_slice(text);
        terminated.push(0);
        Self {
            terminated: terminated.leak(),
        }
    }

    /// On the heap, until the host moves the heap pointer below it.
    fn leaked(self) -> *mut Self {
        Box::into_raw(Box::new(self))
    }

    fn text(&self) -> &'static [u8] {
        self.terminated.strip_suffix(b"\0").unwrap_or_default()
    }
}

/// The text of a value; none for the address 0.
fn text(value: *const Value) -> Option<&'static [u8]> {
    // SAFETY: the address of a value, or 0.
    unsafe { value.as_ref() }.map(Value::text)
}

/// `size` bytes that the host wrote; some hosts count the zero byte after a text.
fn written(address: *const u8, size: usize) -> &'static [u8] {
    if address.is_null() {
        return &[];
    }
    // SAFETY: the host says that it wrote them there.
    let mut bytes = unsafe { slice::from_raw_parts(address, size) };
    while let [text @ .., 0] = bytes {
        bytes = text;
    }
    bytes
}

fn result(entrypoint: i32, data: *const Value, input: &[u8]) -> Value {
    if entrypoint != MAIN {
        return Value::new(UNDEFINED.as_bytes());
    }
    let data = text(data).unwrap_or(b"{}");
    Value::new(policy::evaluate(data, input).as_bytes())
}

/// `value_addr builtins(void)`: the functions that the host must bring, none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn builtins() -> *const Value {
    &raw const BUILTINS
}

/// `value_addr entrypoints(void)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn entrypoints() -> *const Value {
    &raw const ENTRYPOINTS
}

/// `ctx_addr opa_eval_ctx_new(void)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_eval_ctx_new() -> *mut Context {
    Box::into_raw(Box::new(Context {
        input: std::ptr::null(),
        data: std::ptr::null(),
        entrypoint: MAIN,
        result: std::ptr::null(),
    }))
}

/// `void opa_eval_ctx_set_input(ctx_addr, value_addr)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_eval_ctx_set_input(context: *mut Context, input: *const Value) {
    // SAFETY: the address of a context.
    unsafe { (*context).input = input };
}

/// `void opa_eval_ctx_set_data(ctx_addr, value_addr)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_eval_ctx_set_data(context: *mut Context, data: *const Value) {
    // SAFETY: the address of a context.
    unsafe { (*context).data = data };
}

/// `void opa_eval_ctx_set_entrypoint(ctx_addr, entrypoint_id)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_eval_ctx_set_entrypoint(context: *mut Context, entrypoint: i32) {
    // SAFETY: the address of a context.
    unsafe { (*context).entrypoint = entrypoint };
}

/// `int32 eval(ctx_addr)`: 0.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn eval(context: *mut Context) -> i32 {
    // SAFETY: the address of a context, and nobody else holds it meanwhile.
    let context = unsafe { &mut *context };
    let input = text(context.input).unwrap_or_default();
    context.result = result(context.entrypoint, context.data, input).leaked();
    0
}

/// `value_addr opa_eval_ctx_get_result(ctx_addr)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_eval_ctx_get_result(context: *const Context) -> *const Value {
    // SAFETY: the address of a context.
    unsafe { (*context).result }
}

/// `str_addr opa_eval(_, entrypoint_id, data, input, input_len, heap_ptr, format)`: all of the above
/// in one call; both formats are the same here.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_eval(
    _reserved: i32,
    entrypoint: i32,
    data: *const Value,
    input: *const u8,
    input_length: usize,
    heap_pointer: usize,
    _format: i32,
) -> *const u8 {
    heap::set_pointer(heap_pointer);
    result(entrypoint, data, written(input, input_length))
        .terminated
        .as_ptr()
}

/// `addr opa_malloc(size)`; 0 if the memory cannot grow.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_malloc(size: usize) -> *mut u8 {
    match Layout::from_size_align(size.max(1), align_of::<u64>()) {
        // SAFETY: the size is not 0.
        Ok(layout) => unsafe { alloc(layout) },
        Err(_) => std::ptr::null_mut(),
    }
}

/// `void opa_free(addr)`: nothing; moving the heap pointer frees.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_free(_address: *mut u8) {}

/// `void opa_value_free(value_addr)`: nothing; moving the heap pointer frees.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_value_free(_value: *mut Value) {}

/// `value_addr opa_json_parse(str_addr, size)`: keeps a copy; an evaluation finds the faults.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_json_parse(address: *const u8, size: usize) -> *mut Value {
    Value::new(written(address, size)).leaked()
}

/// `value_addr opa_value_parse(str_addr, size)`: as `opa_json_parse`; there are no Rego sets here.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_value_parse(address: *const u8, size: usize) -> *mut Value {
    opa_json_parse(address, size)
}

/// `str_addr opa_json_dump(value_addr)`: the text itself, terminated by a zero byte.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_json_dump(value: *const Value) -> *const u8 {
    // SAFETY: the address of a value, or 0.
    match unsafe { value.as_ref() } {
        Some(value) => value.terminated.as_ptr(),
        None => c"null".as_ptr().cast(),
    }
}

/// `str_addr opa_value_dump(value_addr)`: as `opa_json_dump`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_value_dump(value: *const Value) -> *const u8 {
    opa_json_dump(value)
}

fn patch(base: *mut Value, path: *const Value, value: Option<&[u8]>) -> i32 {
    let patched = match (text(base), text(path)) {
        (Some(base), Some(path)) => patched(base, path, value),
        _ => Err(PathError::InvalidType),
    };
    match patched {
        // SAFETY: the address of a value, which is not 0 here.
        Ok(text) => unsafe {
            *base = Value::new(text.as_bytes());
            0
        },
        Err(error) => error as i32,
    }
}

/// `opa_errc opa_value_add_path(base_value_addr, path_value_addr, value_addr)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_value_add_path(
    base: *mut Value,
    path: *const Value,
    value: *const Value,
) -> i32 {
    patch(base, path, Some(text(value).unwrap_or(b"null")))
}

/// `opa_errc opa_value_remove_path(base_value_addr, path_value_addr)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_value_remove_path(base: *mut Value, path: *const Value) -> i32 {
    patch(base, path, None)
}

/// `addr opa_heap_ptr_get(void)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_heap_ptr_get() -> usize {
    heap::pointer()
}

/// `void opa_heap_ptr_set(addr)`
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_heap_ptr_set(address: usize) {
    heap::set_pointer(address);
}

/// `void opa_heap_blocks_stash(void)`: nothing; there are no free blocks to keep.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_heap_blocks_stash() {}

/// `void opa_heap_blocks_restore(void)`: nothing, as `opa_heap_blocks_stash`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_heap_blocks_restore() {}

/// `void opa_heap_stash_clear(void)`: nothing, as `opa_heap_blocks_stash`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn opa_heap_stash_clear() {}
