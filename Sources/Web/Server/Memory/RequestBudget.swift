import Synchronization

/// Limits the memory of all requests that are being received or handled, in total and per client. Each has its own
/// limits, but many at once could still exhaust memory.
final class RequestBudget: Sendable {
    private let used = Atomic<Int>(0)
    /// The part of ``used`` that any client can cause: heads, and bodies of strangers.
    private let usedByStrangers = Atomic<Int>(0)
    private let maximumBytes: Int
    private let maximumStrangerBytes: Int

    /// Heads get at least this, so that a server with a tiny limit for bodies can still be spoken to.
    private static let leastHeadBytes = 1 << 20

    /// What the memory is for.
    enum Use {
        case body
        /// A body of a request without an admission, where
        /// ``HTTPServerConfiguration/limitsBodiesOfStrangers`` is set.
        case strangersBody
        /// The fields of a request, input that is not parsed yet, unfinished TLS records and handshakes: at most half
        /// of the memory, because they take no token and no known route.
        case head

        /// Whether it is limited to the half that any client can use.
        var isOfStrangers: Bool { self != .body }
    }

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        maximumStrangerBytes = max(maximumBytes / 2, Self.leastHeadBytes)
    }

    /// Charges bytes. If that would exceed a limit, charges nothing and returns the limit.
    func take(_ bytes: Int, _ use: Use, for client: ClientAccount) -> MemoryShortage? {
        let most = use == .head ? max(maximumBytes, maximumStrangerBytes) : maximumBytes
        if client.isLimited {
            let (_, share) = client.requestBytes.add(bytes, ordering: .relaxed)
            guard share <= most / client.requestParts else {
                client.requestBytes.subtract(bytes, ordering: .relaxed)
                return use == .head ? .headsOfClient : .bodiesOfClient
            }
        }
        let (_, now) = used.add(bytes, ordering: .relaxed)
        let strangers = use.isOfStrangers ? usedByStrangers.add(bytes, ordering: .relaxed).newValue : 0
        if now <= most, strangers <= maximumStrangerBytes { return nil }
        giveBack(bytes, use, of: client)
        return use == .head ? .heads : .bodies
    }

    func giveBack(_ bytes: Int, _ use: Use, of client: ClientAccount) {
        used.subtract(bytes, ordering: .relaxed)
        if use.isOfStrangers { usedByStrangers.subtract(bytes, ordering: .relaxed) }
        if client.isLimited { client.requestBytes.subtract(bytes, ordering: .relaxed) }
    }
}

/// A head or body that a worker may read after its connection has closed. It is uncharged when its last reference is
/// released.
final class RequestCharge: Sendable {
    let bytes: Int
    private let use: RequestBudget.Use
    private let client: ClientAccount
    private let budget: RequestBudget

    /// Smaller bodies are uncharged with their request: the worker queue is short enough.
    static let smallestBodyBytes = 4096

    /// Takes over `bytes` that were charged before.
    init(_ bytes: Int, _ use: RequestBudget.Use, of client: ClientAccount, in budget: RequestBudget) {
        self.bytes = bytes
        self.use = use
        self.client = client
        self.budget = budget
    }

    deinit { budget.giveBack(bytes, use, of: client) }
}

/// The memory currently held by one client's requests and responses. Created with a client's first connection and
/// shared by the others, so that charging needs neither a look-up nor a lock.
final class ClientAccount: Sendable {
    /// `false` for clients that are exempt from limits per client, such as trusted proxies. Nothing is counted for
    /// them.
    let isLimited: Bool
    /// Bytes of requests, kept by ``RequestBudget``.
    let requestBytes = Atomic<Int>(0)
    /// Bytes of unread responses, kept by ``AnswerBudget``.
    let answerBytes = Atomic<Int>(0)

    /// Its share of the memory for requests is 1 / `requestParts`.
    let requestParts: Int
    /// The account for admitted bodies: half of the memory, so that the largest one fits. Nil for that account itself
    /// and for exempt clients.
    let admitted: ClientAccount?

    /// The account of all exempt clients.
    static let unlimited = ClientAccount(isLimited: false)

    init(isLimited: Bool) {
        self.isLimited = isLimited
        // A quarter: three clients that hold their whole share leave room for the others.
        requestParts = 4
        admitted = isLimited ? ClientAccount(requestParts: 2) : nil
    }

    private init(requestParts: Int) {
        isLimited = true
        self.requestParts = requestParts
        admitted = nil
    }
}

/// The memory limit that a request or response would exceed.
package enum MemoryShortage: String, Error, CaseIterable {
    /// The bodies of all requests.
    case bodies
    /// The bodies of one client's requests.
    case bodiesOfClient = "bodies_of_client"
    /// The heads of all requests, unparsed input and unfinished TLS records included.
    case heads
    /// The same of one client.
    case headsOfClient = "heads_of_client"
    /// The unread responses of all clients.
    case answers
    /// The unread responses of one client.
    case answersOfClient = "answers_of_client"
}
