import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain

/// All that follows from the raw events, computed the plain way: by user, from the sorted list of their moments.
///
/// Takes about 8 bytes an event and 200 a user.
struct RecomputedFigures {
    struct User {
        var marks = [UTCInstant?](repeating: nil, count: Milestone.allCases.count)
        /// In milliseconds; sorted only by ``absences``.
        var moments: [Int64] = []

        var first: UTCInstant { UTCInstant(millisecondsSinceEpoch: moments.min() ?? 0) }
        var last: UTCInstant { UTCInstant(millisecondsSinceEpoch: moments.max() ?? 0) }

        var absences: [Absence] {
            let sorted = moments.sorted()
            return zip(sorted, sorted.dropFirst()).compactMap { left, returned in
                Absence(
                    from: UTCInstant(millisecondsSinceEpoch: left),
                    until: UTCInstant(millisecondsSinceEpoch: returned))
            }
        }
    }

    private(set) var eventCount = 0
    private(set) var users: [UserHash: User] = [:]
    /// Added less removed by the millisecond.
    private(set) var subscriptions: [Int64: Int64] = [:]
    private(set) var items: [UUID: Int64] = [:]

    mutating func add(_ event: RecordedEvent) {
        eventCount += 1
        users[event.userID, default: User()].add(event)
        switch event.name {
        case "subscription_added":
            subscriptions[event.occurredAt.millisecondsSinceEpoch, default: 0] += 1
            if let item = event.catalogueItemID { items[item, default: 0] += 1 }
        case "subscription_removed": subscriptions[event.occurredAt.millisecondsSinceEpoch, default: 0] -= 1
        default: break
        }
    }
}

extension RecomputedFigures.User {
    fileprivate mutating func add(_ event: RecordedEvent) {
        moments.append(event.occurredAt.millisecondsSinceEpoch)
        guard let milestone = Milestone(eventName: event.name) else { return }
        marks[milestone.rawValue] = marks[milestone.rawValue].map { min($0, event.occurredAt) } ?? event.occurredAt
    }
}
