// Counts the bytes that a program has allocated and not freed.
struct NoughtsCounting;
static NOUGHTS_LIVE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

unsafe impl std::alloc::GlobalAlloc for NoughtsCounting {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        NOUGHTS_LIVE.fetch_add(layout.size(), std::sync::atomic::Ordering::Relaxed);
        std::alloc::GlobalAlloc::alloc(&std::alloc::System, layout)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: std::alloc::Layout) {
        NOUGHTS_LIVE.fetch_sub(layout.size(), std::sync::atomic::Ordering::Relaxed);
        std::alloc::GlobalAlloc::dealloc(&std::alloc::System, old, layout)
    }
}

#[global_allocator]
static NOUGHTS_ALLOCATOR: NoughtsCounting = NoughtsCounting;

fn live_bytes() -> usize {
    NOUGHTS_LIVE.load(std::sync::atomic::Ordering::Relaxed)
}
