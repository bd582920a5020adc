// Tells the thread sanitizer of the locks that it cannot see, so that none of them has to be suppressed.
//
// Taking and giving back a Synchronization.Mutex that nobody else wants is inlined into our code and so instrumented.
// The two slow ways, for a lock that another thread holds or waits for, lie in libswiftSynchronization, which is not:
// there the sanitizer misses that whoever gets the lock comes after whoever gave it back. Scripts/sanitize loads this
// file before that library. The atomic word stands first in the lock, so its address is the one the inlined ways use.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    SWIFT void (*next)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK_SLOW);
    next(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    SWIFT void (*next)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    __tsan_release(mutex);
    next(mutex);
}
