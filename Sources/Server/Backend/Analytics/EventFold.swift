package import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Counts events into users, figures and daily totals, in one transaction.
struct EventFold {
    private struct Day: Hashable {
        let nameID: Int64
        let dayNumber: Int64
    }

    private let transaction: any SQLTransaction
    private let names: EventNames
    private var figures: FigureFold
    private var absences: AbsenceTable
    private var days: [Day: Int64] = [:]
    /// Users created by this fold.
    private(set) var newUserCount = 0

    /// `now` determines which figures are old enough to be kept by day only.
    init(_ transaction: any SQLTransaction, names: EventNames, now: UTCInstant) {
        self.transaction = transaction
        self.names = names
        figures = FigureFold(now: now)
        absences = AbsenceTable(transaction)
    }

    /// Folds the events of users, at least one each, in any order. Each user must occur once.
    mutating func fold(_ users: some Collection<UnfoldedEvents.User>) throws {
        var records = try UserRecord.find(hashes: users.map(\.user), in: transaction)
        let new = zip(users, records).filter { $1 == nil }.compactMap { user, _ in
            user.events.first.map { (hash: user.user, seenAt: $0.occurredAt) }
        }
        var made = try UserRecord.insert(new, in: transaction)[...]
        newUserCount += made.count
        for (index, user) in users.enumerated() {
            guard var record = records[index] ?? made.popFirst() else { continue }
            for event in user.events {
                let name = names.name(of: event.nameID) ?? ""
                try record.apply(
                    Milestone(eventName: name), at: event.occurredAt, figures: &figures, absences: &absences)
                figures.count(name, item: event.item, at: event.occurredAt)
                days[Day(nameID: event.nameID, dayNumber: Int64(event.occurredAt.day.daysSinceEpoch)), default: 0] += 1
            }
            records[index] = record
        }
        try UserRecord.save(records.compactMap(\.self), figures: &figures, in: transaction)
    }

    /// Writes what was folded in memory. Call it once, after all users.
    mutating func finish() throws {
        try absences.save()
        try figures.save(in: transaction)
        try transaction.execute(
            Self.addition, rows: days.map { [.integer($0.nameID), .integer($0.dayNumber), .integer($1)] })
    }

    static let addition = SQLBatchStatement.insertion(
        into: "event_days", [.integer("event_name_id"), .integer("day_number"), .integer("event_count")],
        conflict: """
            ON CONFLICT (event_name_id, day_number)
            DO UPDATE SET event_count = event_days.event_count + excluded.event_count
            """)
}

extension EventLog {
    /// A log whose events are counted in the figures, and whose new users can trigger alerts.
    ///
    /// - Parameters:
    ///   - alerts: defaults to one without channels; thresholds fire nevertheless.
    ///   - firesThresholds: false for a command that does not know the channels. A threshold that it reaches then
    ///     fires when a server starts or counts the next user.
    package convenience init(
        context: BackendContext, alerts: AlertStore? = nil, firesThresholds: Bool = true,
        shape: EventIDIndexShape = EventIDIndexShape()
    ) {
        let alerts = alerts ?? AlertStore(context: context)
        self.init(
            store: context.store, now: context.now, makeRandomBytes: context.makeRandomBytes, shape: shape
        ) { users, names, now, transaction in
            var fold = EventFold(transaction, names: names, now: now)
            try fold.fold(users)
            try fold.finish()
            if firesThresholds, fold.newUserCount > 0 { try alerts.fireReached(in: transaction) }
        }
    }
}
