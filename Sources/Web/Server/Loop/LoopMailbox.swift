import CEpoll
import Glibc
import Synchronization

/// What other threads may tell an event loop.
enum LoopMessage: Sendable {
    case adopt(descriptor: Int32, peer: SocketAddress, client: ClientAccount)
    /// A large body is held already.
    case reply(ReplyTicket, Response, HeldAnswer?)
    /// There is an answer, but no memory for it to wait in.
    case lacksMemory(ReplyTicket, MemoryShortage)
    /// The route's admission has decided; `nil` lets the request's body in.
    case admitted(ReplyTicket, refusal: Response?)
    /// `nil` is the end of the body.
    case chunk(ReplyTicket, Result<[UInt8]?, any Error>)
    /// Close some connections that do nothing: others wait for their place.
    case shedIdle
    /// New connections shake hands with this one.
    case useTLS(TLSContext)
    case useTicketKeys(TLSTicketKeys)
    /// Take nothing new, finish what runs, then leave.
    case drain(deadline: Duration)
}

/// The one way into an event loop from outside: a locked list, and a descriptor that wakes the loop.
final class LoopMailbox: Sendable {
    /// Readable while messages wait.
    let descriptor: Int32
    private let messages = Mutex<[LoopMessage]>([])

    init() throws {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemCallError(call: "eventfd", errno: errno) }
    }

    deinit { close(descriptor) }

    func post(_ message: LoopMessage) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        // It can only fail when the counter is full, and then the loop is awake anyway.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// All messages so far, oldest first.
    func take() -> [LoopMessage] {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        return messages.withLock { messages in
            let taken = messages
            messages = []
            return taken
        }
    }
}

/// A system call that the server cannot live without failed.
package struct SystemCallError: Error, CustomStringConvertible {
    let call: String
    let errno: Int32

    package var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
