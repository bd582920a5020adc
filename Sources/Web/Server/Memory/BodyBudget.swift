import Synchronization

/// Limits the memory of all request bodies, in total and per client. Each body has its own limit, but many requests at
/// once could still take more memory than there is.
final class BodyBudget: Sendable {
    private let used = Atomic<Int>(0)
    private let maximumBytes: Int

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Charges bytes. Returns the limit that they would exceed; nothing is charged then.
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

    /// Smaller bodies are uncharged with their request: the queue before the workers is short enough.
    static let smallestBytes = 4096

    /// Takes over `bytes` that were charged before.
    init(_ bytes: Int, of client: ClientAccount, in budget: BodyBudget) {
        self.bytes = bytes
        self.client = client
        self.budget = budget
    }

    deinit { budget.giveBack(bytes, of: client) }
}

/// The memory that one client's requests and responses hold now. Made with a client's first connection and shared by
/// the others, so that charging needs no look-up and no lock.
final class ClientAccount: Sendable {
    /// `false` for clients that are exempt from limits by client, such as trusted proxies. Nothing is counted for them.
    let isLimited: Bool
    /// Bytes of request bodies, kept by ``BodyBudget``.
    let bodyBytes = Atomic<Int>(0)
    /// Bytes of answers that wait to be read, kept by ``AnswerBudget``.
    let answerBytes = Atomic<Int>(0)

    /// Its share of the memory for bodies: 1 divided by this.
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
    /// Bodies of all requests together.
    case bodies
    /// Bodies of one client's requests.
    case bodiesOfClient = "bodies_of_client"
    /// Unread answers of all clients together.
    case answers
    /// Unread answers of one client.
    case answersOfClient = "answers_of_client"
}
