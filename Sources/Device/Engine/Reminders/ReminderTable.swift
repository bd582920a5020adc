import SQLDatabase
import SubGuardDomain

/// What was told on this device. Stands among the settings: it is not the user's data, and never merged or backed up.
struct ReminderTable {
    private let session: any SQLSession

    init(_ session: any SQLSession) { self.session = session }

    private static let toldPrefix = "reminded:"
    /// The first key after those with the prefix.
    private static let toldEnd = "reminded;"
    private static let sinceKey = "reminders_since"
    private static let lastRunKey = "reminders_run_at"

    /// For how long a reminder that could not be told is tried again.
    private static let reachDays = 31
    /// For how long what was told is kept: longer than ``reachDays``, because the clock of a device may be wrong.
    private static let keptDays = 2 * reachDays

    /// What was told. Before the first run, reminders begin with the day of `moment`.
    func record(at moment: Moment) throws -> ReminderRecord {
        let told = try session.query(
            "SELECT key FROM settings WHERE key >= ? AND key < ?",
            [.text(Self.toldPrefix), .text(Self.toldEnd)]
        ) { String(try $0.text(0).dropFirst(Self.toldPrefix.count)) }
        let oldest = moment.now.adding(days: -Self.reachDays)
        return ReminderRecord(
            told: Set(told), since: max(oldest, try Self.since(moment, in: session)),
            lastRun: try instant(Self.lastRunKey))
    }

    private func instant(_ key: String) throws -> UTCInstant? { try Self.instant(key, in: session) }

    private static func instant(_ key: String, in session: any SQLSession) throws -> UTCInstant? {
        try Settings(session).value(key).flatMap { Int64($0) }.map { UTCInstant(millisecondsSinceEpoch: $0) }
    }

    /// When reminders began: with this day if they have not, or began by a clock that was ahead.
    private static func since(_ moment: Moment, in session: any SQLSession) throws -> UTCInstant {
        let start = moment.time.start(of: moment.today)
        return min(start, try instant(sinceKey, in: session) ?? start)
    }

    static func note(_ ids: [String], isAll: Bool, at moment: Moment, in session: any SQLTransaction) throws {
        try begin(at: moment, in: session)
        let now = "\(moment.now.millisecondsSinceEpoch)"
        for id in ids { try Settings.set(now, for: toldPrefix + id, in: session) }
        if isAll { try Settings.set(now, for: lastRunKey, in: session) }
        let oldest = moment.now.adding(days: -keptDays).millisecondsSinceEpoch
        try session.execute(
            "DELETE FROM settings WHERE key >= ? AND key < ? AND CAST(value AS INTEGER) < ?",
            [.text(toldPrefix), .text(toldEnd), .integer(oldest)])
    }

    var hasBegun: Bool { get throws { try Settings(session).value(Self.sinceKey) != nil } }

    /// Keeps the day on which reminders began.
    static func begin(at moment: Moment, in session: any SQLTransaction) throws {
        let since = try since(moment, in: session)
        guard try instant(sinceKey, in: session) != since else { return }
        try Settings.set("\(since.millisecondsSinceEpoch)", for: sinceKey, in: session)
    }
}
