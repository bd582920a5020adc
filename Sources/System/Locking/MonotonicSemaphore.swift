package import Dispatch

#if os(Linux)
    import Foundation

    /// A counting semaphore whose timeouts are of the monotonic clock. Replaces `DispatchSemaphore` where a wait has a
    /// timeout: on Linux, libdispatch turns that into a time of day (`sem_timedwait`), so after the clock was set back,
    /// the wait lasts until the clock has caught up. `DispatchGroup` waits for a duration and needs no replacement.
    // proof: `count` is only reached while `mutex` is held; the pointers never change.
    package final class MonotonicSemaphore: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let signalled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private var count: Int

        package init(value: Int) {
            count = value
            pthread_mutex_init(mutex, nil)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(signalled, &attributes)
            pthread_condattr_destroy(&attributes)
        }

        deinit {
            pthread_cond_destroy(signalled)
            pthread_mutex_destroy(mutex)
            signalled.deallocate()
            mutex.deallocate()
        }

        package func signal() {
            pthread_mutex_lock(mutex)
            count += 1
            pthread_cond_signal(signalled)
            pthread_mutex_unlock(mutex)
        }

        /// Waits for a signal, also for one that came before, until a deadline, which is of the monotonic clock too.
        package func wait(timeout deadline: DispatchTime) -> DispatchTimeoutResult {
            let (seconds, nanoseconds) = deadline.uptimeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            var end = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(nanoseconds))
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            // Any other result is a wakeup, perhaps without a signal.
            while count <= 0 {
                if pthread_cond_timedwait(signalled, mutex, &end) == ETIMEDOUT, count <= 0 { return .timedOut }
            }
            count -= 1
            return .success
        }
    }
#else
    /// On Apple's systems, the timeouts of `DispatchSemaphore` are of the monotonic clock.
    package typealias MonotonicSemaphore = DispatchSemaphore
#endif
