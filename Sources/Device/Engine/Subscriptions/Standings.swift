import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Keeps the table of what is true of each subscription today, and posts passed billing days into the ledger.
///
/// A row says itself on which day it stops being true, so that a new day costs as much as what changes on it. Going back
/// to an earlier day, which only a pinned clock does, makes all rows anew.
///
/// No more than ``horizonYears`` are ever posted: an anchor of long ago or a clock of the far future would fill the disk
/// with days that nobody lived through with this store.
struct Standings {
    /// How far before today passed days are entered. What is in the ledger already stays, however old.
    static let horizonYears = 10

    let session: any SQLTransaction
    let today: CalendarDay

    init(_ session: any SQLTransaction, today: CalendarDay) {
        self.session = session
        self.today = today
    }

    func bringUpToDate() throws {
        guard let asOf = try session.first("SELECT as_of FROM store", [], { try $0.day(0) }), asOf != today else {
            return
        }
        let table = SubscriptionTable(session)
        if asOf < today {
            let due = "SELECT num, posted_through FROM standings WHERE changes_on <= ?"
            let rows = try session.query(due, [.day(today)]) { (try $0.integer(0), try $0.day(1)) }
            if rows.count > 2000 {
                let posted = Dictionary(uniqueKeysWithValues: rows)
                for (number, subscription) in try table.all() {
                    guard let through = posted[number] else { continue }
                    try post(subscription, number, after: through)
                    try write(subscription, number)
                }
            } else {
                for (number, through) in rows {
                    let subscription = try table.load(number: number)
                    try post(subscription, number, after: through)
                    try write(subscription, number)
                }
            }
        } else {
            // What a clock that ran ahead has posted has not come yet.
            let ahead = "DELETE FROM ledger WHERE \(Self.isPostedAlone) AND due_day >= ?"
            try session.execute(ahead, [.day(today)])
            // One that ran far ahead may have left out days before today, which were beyond its horizon.
            let isFar = today.adding(days: 366) < asOf
            for (number, subscription) in try table.all() {
                if isFar { try post(subscription, number, after: subscription.trackedFrom.adding(days: -1)) }
                try write(subscription, number)
            }
        }
        try session.execute("UPDATE store SET as_of = ?", [.day(today)])
    }

    /// After a change of a subscription: puts right which of its passed days are in the ledger, and its standing.
    func rebuild(_ subscription: Subscription, number: Int64) throws {
        // What was posted goes where it is not charged any more. What a user entered stays, on coming days too: the day
        // may be charged again, and a row that is gone would come back from another device.
        let open = "SELECT due_day FROM ledger WHERE subscription = ? AND \(Self.isPostedAlone) AND due_day >= ?"
        let rows = try session.query(open, [.integer(number), .day(subscription.trackedFrom)]) { try $0.day(0) }
        for day in rows where day >= today || !isCharge(day, of: subscription) {
            try session.execute(EntityTables.ledger.deleteSQL, [.integer(number), .day(day)])
        }
        try post(subscription, number, after: subscription.trackedFrom.adding(days: -1))
        try write(subscription, number)
    }

    func rebuildAll() throws {
        try session.execute("DELETE FROM standings")
        for (number, subscription) in try SubscriptionTable(session).all() {
            try rebuild(subscription, number: number)
        }
        try session.execute("UPDATE store SET as_of = ?", [.day(today)])
    }

    /// Of a ledger row that the schedule alone has made and nobody ever edited.
    private static let isPostedAlone = "fate = 0 AND paid IS NULL AND stamp = '' AND stamps = ''"

    private func isCharge(_ day: CalendarDay, of subscription: Subscription) -> Bool {
        subscription.nextCharge(onOrAfter: day) == day
    }

    /// Enters the charged days after `through` and before today, within the horizon. A day that is in already stays as it
    /// is.
    private func post(_ subscription: Subscription, _ number: Int64, after through: CalendarDay) throws {
        let insert = "INSERT OR IGNORE INTO ledger (subscription, due_day) VALUES (?, ?)"
        let first = max(through.adding(days: 1), today.adding(months: -12 * Self.horizonYears))
        for day in subscription.charges(from: first, through: today.adding(days: -1)) {
            try session.execute(insert, [.integer(number), .day(day)])
        }
    }

    private func write(_ subscription: Subscription, _ number: Int64) throws {
        let id = subscription.id.halves
        let sortName = TextFolding.fold(subscription.name)
        let next = subscription.comingBilling(onOrAfter: today)
        let due = subscription.nextCharge(onOrAfter: today)
        let change = subscription.nextChange(after: today)
        let changesOn = [next?.adding(days: 1), due?.adding(days: 1), change].compactMap { $0 }.min()
        try session.execute("DELETE FROM standings WHERE num = ?", [.integer(number)])
        try session.execute(
            Self.insert,
            [
                .text(sortName), .integer(number), .integer(Int64(bitPattern: id.high)),
                .integer(Int64(bitPattern: id.low)),
                .text(subscription.name),
                .integer(subscription.price(on: today).minorUnits),
                .integer(CurrencyNumber.number(subscription.currency)),
                .integer(CycleCode.code(subscription.cycle)), .text(subscription.category.wire),
                .count(StatusCode.code(subscription.status(on: today))), .day(orNull: next), .day(orNull: due),
                .flag(subscription.counts(on: today)), .flag(change == nil), .day(orNull: changesOn),
                .day(today.adding(days: -1)),
            ])
    }

    private static let insert = """
        INSERT INTO standings (sort_name, num, id_high, id_low, name, amount, currency, cycle, category, status, next_day, due_day, \
        is_counted, is_steady, changes_on, posted_through) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

/// A status as a number, in the order of the cases.
enum StatusCode {
    private static let all = SubscriptionStatus.allCases

    static func code(_ status: SubscriptionStatus) -> Int { all.firstIndex(of: status) ?? 0 }

    static func status(_ code: Int64) throws -> SubscriptionStatus {
        guard all.indices.contains(Int(code)) else { throw SQLError.malformed("status") }
        return all[Int(code)]
    }
}
