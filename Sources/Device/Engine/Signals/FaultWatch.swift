import Foundation

/// Records the signal by which a process ends itself, in the marker of its session.
enum FaultWatch {
    /// The signals of faults. SIGTERM, SIGINT and SIGKILL come from outside and are none.
    private static let signals: [(number: Int32, name: String)] = [
        (SIGSEGV, "SIGSEGV"), (SIGBUS, "SIGBUS"), (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"),
        (SIGFPE, "SIGFPE"),
    ]

    static func name(of signal: Int32) -> String { signals.first { $0.number == signal }?.name ?? "signal \(signal)" }

    /// Installs the handlers, which pass each signal on to the one that was there before, such as the runtime's.
    static func begin(_ descriptor: Int32) {
        let isFirst = watchedDescriptor == unset
        watchedDescriptor = descriptor
        guard isFirst else { return }
        // A handler needs a stack of its own: the fault may be that the thread's is used up.
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackBytes, alignment: 16)
        stack.ss_size = stackBytes
        // Of the calling thread alone, and never freed; other threads use their own stacks.
        sigaltstack(&stack, nil)
        for (number, _) in signals {
            var action = sigaction()
            setHandler(of: &action)
            action.sa_flags = SA_ONSTACK
            sigaction(number, &action, previousActions + Int(number))
        }
    }

    /// Stops recording in this file.
    static func end(_ descriptor: Int32) {
        if watchedDescriptor == descriptor { watchedDescriptor = none }
    }

    private static let stackBytes = 64 << 10

    private static func setHandler(of action: inout sigaction) {
        #if os(Linux)
            action.__sigaction_handler.sa_handler = recordFault
        #else
            action.__sigaction_u.__sa_handler = recordFault
        #endif
    }
}

private let unset: Int32 = -2
private let none: Int32 = -1

// proof: a word that is written before the handlers are installed, and by the thread that ends the session; a handler
// that reads it meanwhile writes a line to a marker that is about to be removed, or none.
private nonisolated(unsafe) var watchedDescriptor = unset

/// What was done with each signal before, by its number.
// proof: written once, while the handlers are installed; a handler of a signal only reads its own.
private nonisolated(unsafe) let previousActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

/// Writes `signal N` to the marker. Only what POSIX allows in a handler: no allocation, no lock.
private func recordFault(_ signal: Int32) {
    if watchedDescriptor >= 0 {
        var line: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (
            0x73, 0x69, 0x67, 0x6E, 0x61, 0x6C, 0x20, UInt8(truncatingIfNeeded: 0x30 &+ signal / 10),
            UInt8(truncatingIfNeeded: 0x30 &+ signal % 10), 0x0A
        )
        _ = write(watchedDescriptor, &line, 10)
    }
    sigaction(signal, previousActions + Int(signal), nil)
    // A fault comes again by itself when this returns; a signal that was sent does not.
    raise(signal)
}
