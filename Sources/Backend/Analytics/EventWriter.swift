import SQLDatabase
import SubGuardDomain

/// Writes batches into one open transaction. Call ``finish()`` before it is committed: users, figures and daily
/// totals are folded in memory and written once.
struct EventWriter {
    private struct Day: Hashable {
        let eventNameID: Int64
        let dayNumber: Int64
    }

    private let transaction: any SQLTransaction
    private var nameIDs: [String: Int64] = [:]
    private var users: [[UInt8]: UserRecord] = [:]
    private var days: [Day: Int64] = [:]
    private var figures: FigureFold
    /// Users made since the transaction began.
    private(set) var newUserCount = 0

    /// `now` decides which figures are old enough to be kept by the day only.
    init(_ transaction: any SQLTransaction, now: UTCInstant) throws {
        self.transaction = transaction
        figures = FigureFold(now: now)
        // Read anew each time: a row added in a transaction that was rolled back must not be remembered.
        try transaction.forEach("SELECT name, id FROM event_names", []) { row in
            nameIDs[try row.text(0)] = try row.integer(1)
        }
    }

    mutating func write(_ batch: EventBatch) throws -> IngestReceipt {
        var accepted = 0
        for event in batch.events {
            if try write(event, receivedAt: batch.receivedAt) { accepted += 1 }
        }
        return IngestReceipt(
            accepted: accepted, duplicates: batch.events.count - accepted, rejected: batch.rejected)
    }

    /// Writes what was folded.
    mutating func finish() throws {
        for user in users.values { try user.save(figures: &figures, in: transaction) }
        try figures.save(in: transaction)
        for (day, count) in days {
            try transaction.execute(
                """
                INSERT INTO event_days (event_name_id, day_number, event_count) VALUES (?, ?, ?)
                ON CONFLICT (event_name_id, day_number)
                DO UPDATE SET event_count = event_days.event_count + excluded.event_count
                """, [.integer(day.eventNameID), .integer(day.dayNumber), .integer(count)])
        }
    }

    /// False, and nothing written, when the event's id is known.
    private mutating func write(_ event: AnalyticsEvent, receivedAt: UTCInstant) throws -> Bool {
        guard var user = try user(of: event) else { return false }
        let nameID = try nameID(of: event.definition)
        let inserted = try transaction.execute(
            """
            INSERT INTO events (id, event_name_id, user_id, occurred_at, received_at, properties)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """,
            [
                .uuid(event.id), .integer(nameID), .integer(user.id), .instant(event.timestamp), .instant(receivedAt),
                .text(orNull: event.properties.map { String(decoding: $0, as: UTF8.self) }),
            ])
        guard inserted == 1 else { return false }
        try user.apply(event, figures: &figures, in: transaction)
        users[event.userID] = user
        figures.count(event)
        let dayNumber = Int64(event.timestamp.day.daysSinceEpoch)
        days[Day(eventNameID: nameID, dayNumber: dayNumber), default: 0] += 1
        return true
    }

    /// The user, made if new; nil when the user is new and the event is a duplicate: an id that somebody else's event has
    /// taken must not bring a user into being.
    private mutating func user(of event: AnalyticsEvent) throws -> UserRecord? {
        if let user = users[event.userID] { return user }
        if let user = try UserRecord.find(hash: event.userID, in: transaction) {
            users[event.userID] = user
            return user
        }
        let duplicate = try transaction.first("SELECT 1 FROM events WHERE id = ?", [.uuid(event.id)]) {
            try $0.integer(0)
        }
        guard duplicate == nil else { return nil }
        let user = try UserRecord.insert(hash: event.userID, seenAt: event.timestamp, in: transaction)
        newUserCount += 1
        users[event.userID] = user
        return user
    }

    private mutating func nameID(of definition: EventDefinition) throws -> Int64 {
        if let id = nameIDs[definition.name] { return id }
        let id = try transaction.first(
            "INSERT INTO event_names (name) VALUES (?) RETURNING id", [.text(definition.name)]
        ) { try $0.integer(0) }
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert event name") }
        nameIDs[definition.name] = id
        return id
    }
}
