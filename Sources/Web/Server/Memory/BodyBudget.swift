import Synchronization

/// Limits the memory of all request bodies, in total and per client. Each body has its own limit, but many concurrent
/// requests could still exhaust memory.
final class BodyBudget: Sendable {
    private let used = Atomic<Int>(0)
    private let maximumBytes: Int

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Charges bytes. If that would exceed a limit, charges nothing and returns the limit.
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

/// A body that a worker may read after its connection has closed. It is uncharged when its last reference is released.
final class HeldBody: Sendable {
    private let bytes: Int
    private let client: ClientAccount
    private let budget: BodyBudget

    /// Smaller bodies are uncharged with their request: the worker queue is short enough.
    static let smallestBytes = 4096

    /// Takes over `bytes` that were charged before.
    init(_ bytes: Int, of client: ClientAccount, in budget: BodyBudget) {
        self.bytes = bytes
        self.client = client
        self.budget = budget
    }

    deinit { budget.giveBack(bytes, of: client) }
}

/// The memory currently held by one client's requests and responses. Created with a client's first connection and
/// shared by the others, so that charging needs neither a look-up nor a lock.
final class ClientAccount: Sendable {
    /// `false` for clients that are exempt from limits per client, such as trusted proxies. Nothing is counted for
    /// them.
    let isLimited: Bool
    /// Bytes of request bodies, kept by ``BodyBudget``.
    let bodyBytes = Atomic<Int>(0)
    /// Bytes of unread responses, kept by ``AnswerBudget``.
    let answerBytes = Atomic<Int>(0)

    /// Its share of the memory for bodies is 1 / `bodyParts`.
    let bodyParts: Int
    /// The account for admitted bodies: half of the memory, so that the largest one fits. Nil for that account itself
    /// and for exempt clients.
    let admitted: ClientAccount?

    /// The account of all exempt clients.
    static let unlimited = ClientAccount(isLimited: false)

    init(isLimited: Bool) {
        self.isLimited = isLimited
        // A quarter: three clients that hold their whole share leave room for the others.
        bodyParts = 4
        admitted = isLimited ? ClientAccount(bodyParts: 2) : nil
    }

    private init(bodyParts: Int) {
        isLimited = true
        self.bodyParts = bodyParts
        admitted = nil
    }
}

/// The memory limit that a request or response would exceed.
package enum MemoryShortage: String, Error, CaseIterable {
    /// The bodies of all requests.
    case bodies
    /// The bodies of one client's requests.
    case bodiesOfClient = "bodies_of_client"
    /// The unread responses of all clients.
    case answers
    /// The unread responses of one client.
    case answersOfClient = "answers_of_client"
}
