import SQLDatabase
import SubGuardDomain

/// Brings events of the log into users, figures and daily totals, in one transaction.
struct EventFold {
    private struct Day: Hashable {
        let nameID: Int64
        let dayNumber: Int64
    }

    private let transaction: any SQLTransaction
    private let names: EventNames
    private var figures: FigureFold
    private var days: [Day: Int64] = [:]
    /// Users that had no row before.
    private(set) var newUserCount = 0

    /// `now` decides which figures are old enough to be kept by the day only.
    init(_ transaction: any SQLTransaction, names: EventNames, now: UTCInstant) {
        self.transaction = transaction
        self.names = names
        figures = FigureFold(now: now)
    }

    /// Folds events of one user, in any order, at least one.
    mutating func fold(_ events: [EventBacklog.Event], of hash: UserHash) throws {
        var user: UserRecord
        if let known = try UserRecord.find(hash: hash, in: transaction) {
            user = known
        } else {
            guard let first = events.first else { return }
            user = try UserRecord.insert(hash: hash, seenAt: first.occurredAt, in: transaction)
            newUserCount += 1
        }
        for event in events {
            let name = names.name(of: event.nameID) ?? ""
            try user.apply(
                Milestone(eventName: name), at: event.occurredAt, figures: &figures, in: transaction)
            figures.count(name, item: event.item, at: event.occurredAt)
            days[Day(nameID: event.nameID, dayNumber: Int64(event.occurredAt.day.daysSinceEpoch)), default: 0] += 1
        }
        try user.save(figures: &figures, in: transaction)
    }

    /// Writes what was folded in memory. Call it once, after all users.
    func finish() throws {
        try figures.save(in: transaction)
        for (day, count) in days {
            try transaction.execute(
                """
                INSERT INTO event_days (event_name_id, day_number, event_count) VALUES (?, ?, ?)
                ON CONFLICT (event_name_id, day_number)
                DO UPDATE SET event_count = event_days.event_count + excluded.event_count
                """, [.integer(day.nameID), .integer(day.dayNumber), .integer(count)])
        }
    }
}
