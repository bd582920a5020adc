import CEpoll
import Glibc

/// epoll, identifying events by descriptor.
package struct Poller {
    package struct Event {
        package let descriptor: Int32
        let isReadable: Bool
        let isWritable: Bool
        /// The peer has closed its side; unread bytes may still be there.
        package let peerClosed: Bool
        /// The connection is broken.
        package let isBroken: Bool
    }

    private let descriptor: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    package init() throws {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemCallError(call: "epoll_create1", errno: errno) }
        events = .allocate(capacity: 256)
    }

    package func close() {
        Glibc.close(descriptor)
        events.deallocate()
    }

    /// Signals once each time that new data can be read or written, and stays registered.
    package func addEdgeTriggered(_ subject: Int32) -> Bool {
        control(EPOLL_CTL_ADD, subject, EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue)
    }

    /// Signals as long as data can be read.
    @discardableResult
    func addLevelTriggered(_ subject: Int32) -> Bool { control(EPOLL_CTL_ADD, subject, EPOLLIN.rawValue) }

    func remove(_ subject: Int32) { _ = control(EPOLL_CTL_DEL, subject, 0) }

    /// Waits at most `timeout` milliseconds, indefinitely if it is negative. Returns the number of events.
    func wait(timeout: Int32) -> Int {
        max(0, Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), timeout)))
    }

    /// The same with a limit in nanoseconds, at least 0.
    package func wait(nanoseconds: Int64) -> Int {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        return max(0, Int(epoll_pwait2(descriptor, events.baseAddress, Int32(events.count), &time, nil)))
    }

    /// An event of the last wait.
    package func event(_ index: Int) -> Event {
        let mask = events[index].events
        return Event(
            descriptor: events[index].data.fd,
            isReadable: mask & EPOLLIN.rawValue != 0,
            isWritable: mask & EPOLLOUT.rawValue != 0,
            peerClosed: mask & EPOLLRDHUP.rawValue != 0,
            isBroken: mask & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
    }

    private func control(_ operation: Int32, _ subject: Int32, _ mask: UInt32) -> Bool {
        var event = epoll_event()
        event.events = mask
        event.data.fd = subject
        return epoll_ctl(descriptor, operation, subject, &event) == 0
    }
}
