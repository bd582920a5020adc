#pragma once
// Settings of the C library's memory allocator that Swift's modules do not offer.
#if defined(__GLIBC__) || defined(__linux__)
#include <features.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

// glibc gives groups of threads memory of their own, 8 a core, and keeps what one of them has freed from the others.
// After a flood of events that is several times what is in use. Does nothing with another library.
static inline void allocator_limit_arenas(int count) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

// Returns the memory of arrays of so many bytes or more to the system when they are freed. glibc stops doing so once
// the first one was: it then keeps up to 64 MB for the next. Costs a page fault for every 4 KiB of such an array.
static inline void allocator_return_blocks(int bytes) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, bytes);
    mallopt(M_TRIM_THRESHOLD, 8 * bytes);
#else
    (void)bytes;
#endif
}

// Bytes that were freed and are kept for later use, those that were returned to the system included. 0 with another
// library.
static inline long allocator_freed_bytes(void) {
#ifdef __GLIBC__
    return (long)mallinfo2().fordblks;
#else
    return 0;
#endif
}

// Returns the memory of all whole pages that were freed to the system.
static inline void allocator_return_freed(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
