//! The allocator: everything lies below one pointer that OPA hosts know and move.
//!
//! Hosts reset the pointer before an evaluation, which frees all that later allocations took, and
//! write the input at the pointer themselves, growing the memory. So the pointer is the allocator's
//! only state.

#![expect(
    unsafe_code,
    reason = "a global allocator is unsafe to implement; the ABI demands one that hosts can reset"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::{memory_grow, memory_size};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

const PAGE: usize = 65_536;

unsafe extern "C" {
    /// Where the linker puts the end of the statics; only its address means something.
    static __heap_base: u8;
}

#[global_allocator]
static HEAP: Heap = Heap {
    pointer: AtomicUsize::new(0),
};

/// Where the next allocation goes; 0 before the first.
struct Heap {
    pointer: AtomicUsize,
}

/// The heap pointer.
pub(crate) fn pointer() -> usize {
    HEAP.pointer.load(Ordering::Relaxed).max(base())
}

/// Moves the heap pointer; what lies above it is free from now on.
pub(crate) fn set_pointer(pointer: usize) {
    HEAP.pointer.store(pointer, Ordering::Relaxed);
}

fn base() -> usize {
    (&raw const __heap_base).addr()
}

/// Makes sure that the memory reaches to `end`.
fn reach(end: usize) -> bool {
    let missing = end.div_ceil(PAGE).saturating_sub(memory_size(0));
    missing == 0 || memory_grow(0, missing) != usize::MAX
}

// SAFETY: an allocation lies between the pointer and the new pointer, aligned as asked, and the
// memory reaches to its end; nothing else allocates, and the module has one thread. A host that moves
// the pointer below a value gives that value up, as the ABI says.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = pointer().checked_next_multiple_of(layout.align());
        let end = start.and_then(|start| start.checked_add(layout.size()));
        match (start, end) {
            (Some(start), Some(end)) if reach(end) => {
                set_pointer(end);
                ptr::with_exposed_provenance_mut(start)
            }
            _ => ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if block.addr() + layout.size() == pointer() {
            set_pointer(block.addr());
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let is_last = block.addr() + layout.size() == pointer();
        if let Some(end) = block.addr().checked_add(size).filter(|_| is_last) {
            if !reach(end) {
                return ptr::null_mut();
            }
            set_pointer(end);
            return block;
        }
        // SAFETY: `size` and the alignment of `layout` are a layout by the contract of `realloc`; the
        // new block does not overlap the old one, which lies below the pointer.
        unsafe {
            let larger = Layout::from_size_align_unchecked(size, layout.align());
            let moved = self.alloc(larger);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
            }
            moved
        }
    }
}
