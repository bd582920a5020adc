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
