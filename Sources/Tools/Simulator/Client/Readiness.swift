import CEpoll
import Glibc

/// epoll with microsecond timeouts: a schedule in whole milliseconds would be late by half a millisecond on average.
struct Readiness {
    private let descriptor: Int32
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)

    init() throws(LoadError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw LoadError("epoll_create1 failed with error \(errno)") }
    }

    func close() {
        Glibc.close(descriptor)
        events.deallocate()
    }

    /// Waits for input and, if `writing`, for writability. Events carry `number`.
    func add(_ subject: Int32, number: Int, writing: Bool) { control(EPOLL_CTL_ADD, subject, number, writing) }

    func change(_ subject: Int32, number: Int, writing: Bool) { control(EPOLL_CTL_MOD, subject, number, writing) }

    /// Waits at most `nanoseconds`, and calls `body` with the number of each ready connection.
    func wait(nanoseconds: Int64, _ body: (_ number: Int, _ isReadable: Bool, _ isWritable: Bool) -> Void) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        let count = epoll_pwait2(descriptor, events.baseAddress, Int32(events.count), &time, nil)
        for index in 0..<max(0, Int(count)) {
            let mask = events[index].events
            let broken = EPOLLERR.rawValue | EPOLLHUP.rawValue
            body(
                Int(events[index].data.u64), mask & (EPOLLIN.rawValue | broken) != 0,
                mask & (EPOLLOUT.rawValue | broken) != 0)
        }
    }

    private func control(_ operation: Int32, _ subject: Int32, _ number: Int, _ writing: Bool) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (writing ? EPOLLOUT.rawValue : 0)
        event.data.u64 = UInt64(number)
        // Fails only if the kernel is out of memory; the request then times out and is counted.
        epoll_ctl(descriptor, operation, subject, &event)
    }
}
