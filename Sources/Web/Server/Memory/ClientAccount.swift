import Synchronization

/// The memory that one client's requests and answers hold now. Made with a client's first connection and handed to each
/// further one, so that charging it needs no look-up and no lock.
final class ClientAccount: Sendable {
    /// `false` for clients that are exempt from limits by client, such as trusted proxies. Nothing is counted for them.
    let isLimited: Bool
    /// Bytes of request bodies, kept by ``BodyBudget``.
    let bodyBytes = Atomic<Int>(0)
    /// Bytes of answers that wait to be read, kept by ``AnswerBudget``.
    let answerBytes = Atomic<Int>(0)

    /// Which part of the memory for bodies it may hold: one of so many.
    let bodyParts: Int
    /// For bodies that an admission has let in: half of the memory, so that the largest one fits. Nil for that account
    /// itself and for exempt clients.
    let admitted: ClientAccount?

    /// Shared by everything that is exempt.
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

/// Which limit on memory a request or an answer would exceed.
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
