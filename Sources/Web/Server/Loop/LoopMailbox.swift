import CEpoll
import Glibc
import Synchronization

/// The messages of other threads to an event loop.
enum LoopMessage: Sendable {
    case adopt(descriptor: Int32, peer: SocketAddress, client: ClientAccount)
    /// A large body is already charged.
    case reply(ReplyTicket, Response, HeldAnswer?)
    /// The response did not fit into memory.
    case lacksMemory(ReplyTicket, MemoryShortage)
    /// The route's admission has decided; a `nil` refusal means that the body is read.
    case admitted(ReplyTicket, refusal: Response?)
    /// What the route's sieve has kept of a piece of the body.
    case sieved(ReplyTicket, any BodySieve, [UInt8])
    /// `nil` is the end of the body.
    case chunk(ReplyTicket, Result<[UInt8]?, any Error>)
    /// Close some idle connections: others wait for room.
    case shedIdle
    /// New connections use this TLS context.
    case useTLS(any SecureContext)
    case useTicketKeys(TLSTicketKeys)
    /// Accept nothing new, finish running requests, then end.
    case drain(deadline: Duration)
}

/// The only access to an event loop from other threads: a locked list, and a descriptor that wakes the loop.
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
        // Fails only if the counter is full, and then the loop is awake anyway.
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

/// An essential system call failed.
package struct SystemCallError: Error, CustomStringConvertible {
    let call: String
    let errno: Int32

    package var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
