import Synchronization

/// The memory that answers take until the kernel has taken them, in all and for each client.
///
/// Charged is what is really held. A body is held whole until its last byte is gone, so it costs its whole storage however
/// little of it is left. Many connections can refer to the same body, for instance the catalogue's, without copying it:
/// such a body costs the server once, however many connections wait for it, and each client once. It must cost something
/// even so, because a connection that does not read keeps it alive after the cache has replaced it.
///
/// Asked only when an answer is large or stuck: an answer that the kernel takes at once is never counted.
final class AnswerBudget: Sendable {
    private struct Share: Hashable {
        let body: UInt
        let client: ObjectIdentifier
    }

    private struct Counts {
        /// How often each body is held, by the address of its storage. An address cannot come to mean another body while
        /// it is listed: ``HeldAnswer`` keeps the storage alive.
        var bodies: [UInt: Int] = [:]
        var shares: [Share: Int] = [:]
    }

    private let counts = Mutex(Counts())
    /// Changed under the lock, read without.
    private let used = Atomic<Int>(0)
    private let maximumBytes: Int
    /// A quarter: three clients that hold their whole share leave room for the others.
    private let maximumBytesPerClient: Int

    /// From this size on, room is looked for before the head is written, so that the answer can be a 503 instead. Smaller
    /// bodies mostly fit into the kernel's buffer.
    static let largeBytes = 64 * 1024

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        maximumBytesPerClient = maximumBytes / 4
    }

    /// Whether so many bytes more may exceed a limit. Cheap; `true` also for a body that is held already and would cost
    /// nothing more, so only ``hold(_:for:)`` decides.
    func mayLack(_ bytes: Int, for client: ClientAccount) -> Bool {
        used.load(ordering: .relaxed) + bytes > maximumBytes
            || (client.isLimited && client.answerBytes.load(ordering: .relaxed) + bytes > maximumBytesPerClient)
    }

    /// Charges a body that is about to wait. Throws the limit that it would exceed; nothing is charged then.
    func hold(_ body: [UInt8], for client: ClientAccount) throws(MemoryShortage) -> HeldAnswer {
        let bytes = body.capacity
        let address = Self.address(body)
        let share = Share(body: address, client: ObjectIdentifier(client))
        let shortage: MemoryShortage? = counts.withLock { counts in
            let isFirst = counts.bodies[address] == nil
            let isFirstOfClient = client.isLimited && counts.shares[share] == nil
            if isFirstOfClient, client.answerBytes.load(ordering: .relaxed) + bytes > maximumBytesPerClient {
                return .answersOfClient
            }
            if isFirst, used.load(ordering: .relaxed) + bytes > maximumBytes { return .answers }
            counts.bodies[address, default: 0] += 1
            if isFirst { used.add(bytes, ordering: .relaxed) }
            if client.isLimited { counts.shares[share, default: 0] += 1 }
            if isFirstOfClient { client.answerBytes.add(bytes, ordering: .relaxed) }
            return nil
        }
        if let shortage { throw shortage }
        return HeldAnswer(body, of: client, in: self)
    }

    fileprivate func release(_ body: [UInt8], of client: ClientAccount) {
        let bytes = body.capacity
        let address = Self.address(body)
        let share = Share(body: address, client: ObjectIdentifier(client))
        counts.withLock { counts in
            if Self.decrement(&counts.bodies, address) { used.subtract(bytes, ordering: .relaxed) }
            if client.isLimited, Self.decrement(&counts.shares, share) {
                client.answerBytes.subtract(bytes, ordering: .relaxed)
            }
        }
    }

    /// Whether that was the last one.
    private static func decrement<Key>(_ counts: inout [Key: Int], _ key: Key) -> Bool {
        guard let count = counts[key], count > 1 else {
            counts[key] = nil
            return true
        }
        counts[key] = count - 1
        return false
    }

    /// Of the storage; arrays that share it have the same.
    private static func address(_ body: [UInt8]) -> UInt {
        body.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
}

/// Bytes that wait to be read by a client, charged until this is released.
final class HeldAnswer: Sendable {
    let bytes: [UInt8]
    private let client: ClientAccount
    private let budget: AnswerBudget

    fileprivate init(_ bytes: [UInt8], of client: ClientAccount, in budget: AnswerBudget) {
        self.bytes = bytes
        self.client = client
        self.budget = budget
    }

    deinit { budget.release(bytes, of: client) }
}
