import Synchronization

/// The memory that request bodies take together, and each client's share of it. Every body has a limit of its own, but
/// many requests at once could still ask for more memory than there is.
final class BodyBudget: Sendable {
    private let used = Atomic<Int>(0)
    private let maximumBytes: Int

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Takes so many bytes. Returns the limit that they would exceed; nothing is taken then.
    func take(_ bytes: Int, for client: ClientAccount) -> MemoryShortage? {
        if client.isLimited {
            let (_, share) = client.bodyBytes.add(bytes, ordering: .relaxed)
            guard share <= maximumBytes / client.bodyParts else {
                client.bodyBytes.subtract(bytes, ordering: .relaxed)
                return .bodiesOfClient
            }
        }
        let (_, now) = used.add(bytes, ordering: .relaxed)
        if now <= maximumBytes { return nil }
        giveBack(bytes, of: client)
        return .bodies
    }

    func giveBack(_ bytes: Int, of client: ClientAccount) {
        used.subtract(bytes, ordering: .relaxed)
        if client.isLimited { client.bodyBytes.subtract(bytes, ordering: .relaxed) }
    }
}

/// A body that a worker may still read after its connection has gone. Gives its bytes back to the budget when the last
/// reference to it is released, which is when nobody can reach the body any more.
final class HeldBody: Sendable {
    private let bytes: Int
    private let client: ClientAccount
    private let budget: BodyBudget

    /// Smaller bodies are given back with their request: the line before the workers is short enough for them.
    static let smallestBytes = 4096

    /// Takes over `bytes` that were taken from the budget before.
    init(_ bytes: Int, of client: ClientAccount, in budget: BodyBudget) {
        self.bytes = bytes
        self.client = client
        self.budget = budget
    }

    deinit { budget.giveBack(bytes, of: client) }
}
