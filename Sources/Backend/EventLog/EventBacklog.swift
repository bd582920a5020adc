import Foundation
import SubGuardDomain

/// Events that are in the log but not yet in the figures, by user: whoever sent several is looked up once.
struct EventBacklog {
    struct Event {
        let occurredAt: UTCInstant
        let nameID: Int64
        let item: UUID?
    }

    private(set) var users: [UserHash: [Event]] = [:]
    private(set) var eventCount = 0

    var isEmpty: Bool { eventCount == 0 }

    mutating func add(_ event: Event, of user: UserHash) {
        users[user, default: []].append(event)
        eventCount += 1
    }

    /// In the order of their hashes, which is that of the index by which they are found.
    var sorted: ArraySlice<(user: UserHash, events: [Event])> {
        users.map { (user: $0.key, events: $0.value) }.sorted { $0.user < $1.user }[...]
    }
}
