import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Maintains the read model of subscriptions (table `standings`): their state today. Also posts past billing days to
/// the ledger.
///
/// Each row holds the day on which it expires, so that a new day only updates the rows that change. Going back to an
/// earlier day, which only happens with `--now` or a wrong clock, rebuilds all rows.
///
/// At most ``horizonYears`` are posted: a very old anchor or a clock far ahead would otherwise fill the disk.
struct SubscriptionProjection {
    /// How many years before today billing days are posted. Existing ledger rows are kept regardless of age.
    static let horizonYears = 10
    /// Charges that a backup may have to post: some 250 MB, and a hundred times what a household has in ten years.
    static let mostCharges = 1_000_000

    let session: any SQLTransaction
    let today: CalendarDay

    func bringUpToDate() throws {
        guard let asOf = try session.first("SELECT as_of FROM store", [], { try $0.day(0) }), asOf != today else {
            return
        }
        // First, because it limits the decisions that are read with a subscription.
        try session.execute("UPDATE store SET as_of = ?", [.day(today)])
        // A new database, or one whose rows a migration has dropped.
        guard asOf > .earliest else { return try rebuildAll() }
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
            // Remove days posted by a clock that ran ahead.
            let ahead = "DELETE FROM ledger WHERE \(Self.isPostedAlone) AND due_day >= ?"
            try session.execute(ahead, [.day(today)])
            // A clock far ahead may have skipped days before today that were beyond its horizon.
            let isFar = today.adding(days: 366) < asOf
            for (number, subscription) in try table.all() {
                if isFar { try post(subscription, number, after: subscription.trackedFrom.adding(days: -1)) }
                try write(subscription, number)
            }
        }
    }

    /// Updates the ledger and the projection after a change of a subscription.
    func rebuild(_ subscription: Subscription, number: Int64) throws {
        // Remove posted days that are no longer charged. User entries are kept, also on future days: the day may be
        // charged again, and a deleted row would return from another device at the next merge.
        let open = "SELECT due_day FROM ledger WHERE subscription = ? AND \(Self.isPostedAlone)"
        let rows = try session.query(open, [.integer(number)]) { try $0.day(0) }
        for day in rows where day >= today || !subscription.isBillingDay(day) {
            try session.execute(EntityTables.ledger.deleteSQL, [.integer(number), .day(day)])
        }
        try settleHistory(of: subscription, number)
        try settleUndone(of: subscription, number)
        try post(subscription, number, after: subscription.trackedFrom.adding(days: -1))
        try write(subscription, number)
    }

    /// Charges earlier than the present schedule, which nothing derives: those without an action of the user are
    /// withheld while the states and the trial say that nothing was charged on their day. They keep their stamps,
    /// because this follows from the subscription: all devices come to the same.
    func settleHistory(of subscription: Subscription, _ number: Int64) throws {
        let tracked = SQLValue.day(subscription.trackedFrom)
        let release = """
            UPDATE ledger SET fate = withheld, withheld = NULL \
            WHERE subscription = ? AND due_day >= ? AND withheld IS NOT NULL
            """
        try session.execute(release, [.integer(number), tracked])
        let sql = """
            SELECT due_day, withheld FROM ledger WHERE subscription = ? AND due_day < ? \
            AND coalesce(withheld, fate) IN (0, 4) AND acted_at IS NULL AND paid IS NULL
            """
        let rows = try session.query(sql, [.integer(number), tracked]) {
            (day: try $0.day(0), isWithheld: !$0.isNull(1))
        }
        for row in rows {
            let wasCharged = subscription.wasCharged(on: row.day)
            guard wasCharged == row.isWithheld else { continue }
            let update =
                wasCharged
                ? "UPDATE ledger SET fate = withheld, withheld = NULL WHERE subscription = ? AND due_day = ?"
                : "UPDATE ledger SET fate = 3, withheld = fate WHERE subscription = ? AND due_day = ?"
            try session.execute(update, [.integer(number), .day(row.day)])
        }
    }

    /// Rows of the present schedule that say nothing any more, such as an undone confirmation: open when the day is
    /// charged, else withdrawn. They keep their stamps, because this follows from the subscription: all devices come to
    /// the same.
    private func settleUndone(of subscription: Subscription, _ number: Int64) throws {
        let sql = """
            SELECT due_day, fate FROM ledger WHERE subscription = ? AND due_day >= ? AND fate IN (0, 3) \
            AND acted_at IS NULL AND paid IS NULL AND (stamps <> '' OR stamp NOT IN ('', '\(Self.keptStamp)'))
            """
        let rows = try session.query(sql, [.integer(number), .day(subscription.trackedFrom)]) {
            (day: try $0.day(0), fate: try $0.integer(1))
        }
        for row in rows {
            let fate = subscription.isBillingDay(row.day) ? OccurrenceFate.open : .skipped
            guard fate.rawValue != Int(row.fate) else { continue }
            let update = "UPDATE ledger SET fate = ? WHERE subscription = ? AND due_day = ?"
            try session.execute(update, [.count(fate.rawValue), .integer(number), .day(row.day)])
        }
    }

    /// Updates the projection after a change in the ledger of a subscription.
    func refresh(number: Int64) throws { try write(try SubscriptionTable(session).load(number: number), number) }

    /// Keeps the charges posted by the schedule that ends today: they cannot be derived any more. Their stamp is older
    /// than every edit, so that what another device recorded about them wins.
    func keepPosted(of subscription: Subscription, number: Int64) throws {
        let keep = "UPDATE ledger SET stamp = ? WHERE subscription = ? AND \(Self.isPostedAlone) AND due_day < ?"
        try session.execute(keep, [.text(Self.keptStamp), .integer(number), .day(subscription.trackedFrom)])
    }

    /// Lets charges that a schedule kept be derived again, after it was taken back: those from the day on from which
    /// the restored schedule holds, and before `end`.
    func releaseKept(of subscription: Subscription, number: Int64, before end: CalendarDay) throws {
        let release = """
            UPDATE ledger SET stamp = '', fate = 0, withheld = NULL WHERE subscription = ? \
            AND coalesce(withheld, fate) = 0 AND paid IS NULL AND stamp = ? AND stamps = '' \
            AND due_day >= ? AND due_day < ?
            """
        try session.execute(
            release, [.integer(number), .text(Self.keptStamp), .day(subscription.trackedFrom), .day(end)])
    }

    /// The stamp of posted charges that cannot be derived.
    static let keptStamp = HybridTimestamp(milliseconds: 1, counter: 0, node: 0).wire

    /// Derives everything again from the stored subscriptions.
    ///
    /// - Parameter mostCharges: of all subscriptions; more are refused before they are posted. Nil for a store's own
    ///   data.
    func rebuildAll(mostCharges: Int? = nil) throws {
        if let mostCharges { try requireFewer(mostCharges) }
        try session.execute("UPDATE store SET as_of = ?", [.day(today)])
        try session.execute("DELETE FROM standings")
        for (number, subscription) in try SubscriptionTable(session).all() {
            try rebuild(subscription, number: number)
        }
    }

    /// A short file can describe daily charges of a thousand subscriptions over ten years each.
    func requireFewer(_ most: Int) throws {
        var count = 0
        for (_, subscription) in try SubscriptionTable(session).all() {
            count += pastCharges(of: subscription, from: subscription.trackedFrom).count
            guard count <= most else {
                throw BackupDocument.damaged("its subscriptions have more than \(most) charges")
            }
        }
    }

    /// Condition for ledger rows posted from the schedule and never edited.
    private static let isPostedAlone = "fate = 0 AND paid IS NULL AND stamp = '' AND stamps = ''"

    /// Posts the charged days after `through` and before today, within the horizon. Existing rows are kept.
    private func post(_ subscription: Subscription, _ number: Int64, after through: CalendarDay) throws {
        // Not `OR IGNORE`, which would hold for the statements of triggers, too.
        let insert = "INSERT INTO ledger (subscription, due_day) VALUES (?, ?) ON CONFLICT DO NOTHING"
        for day in pastCharges(of: subscription, from: through.adding(days: 1)) {
            try session.execute(insert, [.integer(number), .day(day)])
        }
    }

    /// The charged days before today that the ledger may have, within the horizon.
    private func pastCharges(of subscription: Subscription, from first: CalendarDay) -> [CalendarDay] {
        let horizon = today.adding(months: -12 * Self.horizonYears)
        return subscription.charges(from: max(first, horizon), through: today.adding(days: -1))
    }

    private func write(_ subscription: Subscription, _ number: Int64) throws {
        let id = subscription.id.halves
        let sortName = TextFolding.fold(subscription.name)
        let next = subscription.comingBilling(onOrAfter: today)
        let due = subscription.nextCharge(onOrAfter: today)
        let change = subscription.nextChange(after: today)
        let decided = subscription.decisions.keys.filter { $0 >= today }.min()
        let changesOn = [next?.adding(days: 1), due?.adding(days: 1), decided?.adding(days: 1), change]
            .compactMap { $0 }.min()
        let price = subscription.price(on: today)
        try session.execute("DELETE FROM standings WHERE num = ?", [.integer(number)])
        try session.execute(
            Self.insert,
            [
                .text(sortName), .integer(number), .integer(Int64(bitPattern: id.high)),
                .integer(Int64(bitPattern: id.low)),
                .text(subscription.name),
                .integer(price.minorUnits), .integer(CurrencyNumber.number(price.currency)),
                .integer(CycleCode.code(subscription.cycle)), .text(subscription.category.wire),
                .flag(subscription.scope == .pro),
                .count(StatusCode.code(subscription.status(on: today))), .day(orNull: next), .day(orNull: due),
                .flag(subscription.counts(on: today)), .flag(change == nil && decided == nil),
                .day(orNull: changesOn), .day(today.adding(days: -1)),
                .day(orNull: subscription.cancelsOn(after: today)), .flag(subscription.isVariable),
            ])
    }

    private static let insert = """
        INSERT INTO standings (sort_name, num, id_high, id_low, name, amount, currency, cycle, category, is_pro, \
        status, next_day, due_day, \
        is_counted, is_steady, changes_on, posted_through, cancel_day, is_variable) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}
