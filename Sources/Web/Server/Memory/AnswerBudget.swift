import Synchronization

/// Limits the memory of responses that the kernel has not taken, in total and per client.
///
/// The charge is the memory actually held: a body is held whole until its last byte is sent. Several connections can
/// share one body, such as the catalogue's, without copying it: it is charged once to the server, and once to each
/// client.
final class AnswerBudget: Sendable {
    private struct Share: Hashable {
        let body: UInt
        let client: ObjectIdentifier
    }

    private struct Counts {
        /// The number of holders of each body, by the address of its storage. An address is not reused while it is
        /// listed: ``HeldAnswer`` keeps the storage alive.
        var bodies: [UInt: Int] = [:]
        var shares: [Share: Int] = [:]
    }

    private let counts = Mutex(Counts())
    /// Changed under the lock, read without it.
    private let used = Atomic<Int>(0)
    private let maximumBytes: Int
    /// A quarter: three clients that hold their whole share leave room for the others.
    private let maximumBytesPerClient: Int

    /// From this size on, the limit is checked before the head is written, so that the response can be a 503 instead.
    /// Smaller bodies mostly fit into the kernel's buffer.
    static let largeBytes = 64 * 1024

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        maximumBytesPerClient = maximumBytes / 4
    }

    /// Whether this many bytes may exceed a limit. Cheap; also `true` for a body that is already held and would cost
    /// nothing. Only ``hold(_:for:)`` decides.
    func mayLack(_ bytes: Int, for client: ClientAccount) -> Bool {
        used.load(ordering: .relaxed) + bytes > maximumBytes
            || (client.isLimited && client.answerBytes.load(ordering: .relaxed) + bytes > maximumBytesPerClient)
    }

    /// Charges a body that must wait. If that would exceed a limit, charges nothing and throws the limit.
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

    /// Returns whether that was the last one.
    private static func decrement<Key>(_ counts: inout [Key: Int], _ key: Key) -> Bool {
        guard let count = counts[key], count > 1 else {
            counts[key] = nil
            return true
        }
        counts[key] = count - 1
        return false
    }

    /// The address of the storage; arrays that share storage have the same address.
    private static func address(_ body: [UInt8]) -> UInt {
        body.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
}

/// Unread bytes of a client, charged until this is released.
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
