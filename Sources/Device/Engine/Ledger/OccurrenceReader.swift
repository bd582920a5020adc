import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads charges: past ones from the ledger, future ones from the schedules.
struct OccurrenceReader {
    let session: any SQLSession
    let today: CalendarDay

    /// A charge by the row number of its subscription and its day since 1970.
    struct Entry: Hashable {
        let number: Int64
        let day: Int
    }

    typealias Decision = (fate: OccurrenceFate, paid: Int64?, code: String?)

    /// Charges in a range that were confirmed or skipped.
    func decisions(from first: CalendarDay, through last: CalendarDay) throws -> [Entry: Decision] {
        var decisions: [Entry: Decision] = [:]
        let sql = """
            SELECT subscription, due_day, fate, paid, paid_currency FROM ledger \
            WHERE fate IN (1, 2, 3) AND due_day BETWEEN ? AND ? AND (fate <> 3 OR acted_at IS NOT NULL)
            """
        try session.forEach(sql, [.day(first), .day(last)]) { row in
            let entry = Entry(number: try row.integer(0), day: Int(try row.integer(1)))
            decisions[entry] = (
                try Self.fate(try row.integer(2)), try row.optionalInteger(3), row.isNull(4) ? nil : try row.text(4)
            )
        }
        return decisions
    }

    /// The column `fate`, with what the user or a statement confirmed of before the day of entry as confirmed.
    static let shownFate = "CASE WHEN fate = 4 AND acted_at IS NOT NULL THEN 1 ELSE fate END"

    /// As ``shownFate``, of a row that was read.
    static func shown(_ fate: OccurrenceFate, isActed: Bool) -> OccurrenceFate {
        fate == .assumed && isActed ? .confirmed : fate
    }

    static func fate(_ code: Int64) throws -> OccurrenceFate {
        guard let fate = OccurrenceFate(rawValue: Int(code)) else { throw SQLError.malformed("fate") }
        return fate
    }

    /// The amount paid; nil when none was recorded.
    ///
    /// - Parameter currency: that of the price on the day, for amounts recorded without one.
    static func paid(_ minorUnits: Int64?, _ code: String?, _ currency: @autoclosure () -> Currency) throws -> Money? {
        guard let minorUnits else { return nil }
        guard let code else { return Money(minorUnits: minorUnits, currency: currency()) }
        guard let currency = Currency(code: code) else { throw SQLError.malformed("currency") }
        return Money(minorUnits: minorUnits, currency: currency)
    }

    /// The charges that are pending on a day, today or later, soonest first.
    ///
    /// - Parameter limit: nil for all.
    func pending(on day: CalendarDay, limit: Int? = nil) throws -> [Occurrence] {
        let last = day.adding(days: OccurrenceStatus.pendingDays)
        let decisions = try decisions(from: day, through: last)
        var pending: [Occurrence] = []
        // With a limit, charges after the last kept one cannot change the result.
        var latest = last
        try visitComing(from: day, through: last, isDone: { $0 > latest }) { row, due in
            guard due <= latest else { return false }
            if decisions[Entry(number: row.number, day: due.daysSinceEpoch)] != nil { return true }
            pending.append(row.occurrence(due, fate: .open, today: day))
            if let limit, pending.count >= 4 * limit + 16 {
                pending.sort(by: Occurrence.soonestFirst)
                pending.removeLast(pending.count - limit)
                latest = pending.last?.billingOn ?? latest
            }
            return true
        }
        pending.sort(by: Occurrence.soonestFirst)
        return limit.map { Array(pending.prefix($0)) } ?? pending
    }

    /// All past and future charges of a range of days, both inclusive.
    func range(from first: CalendarDay, through last: CalendarDay) throws -> [Occurrence] {
        guard first <= last else { return [] }
        var occurrences = try passed(from: first, through: min(last, today.adding(days: -1)))
        if last >= today {
            let start = max(first, today)
            var decisions = try decisions(from: start, through: last)
            try visitComing(from: start, through: last) { row, due in
                let decision = decisions.removeValue(forKey: Entry(number: row.number, day: due.daysSinceEpoch))
                var occurrence = row.occurrence(due, fate: decision?.fate ?? .open, today: today)
                if let decision, let paid = try Self.paid(decision.paid, decision.code, occurrence.amount.currency) {
                    occurrence.amount = paid
                }
                occurrences.append(occurrence)
                return true
            }
            // Skipped, or confirmed and no longer charged, such as after a pause.
            if !decisions.isEmpty {
                let rest = Set(decisions.keys)
                occurrences += try ledger(from: start, through: last, fates: "1, 2, 3") { number, day in
                    rest.contains(Entry(number: number, day: day))
                }
            }
        }
        return occurrences.sorted(by: Occurrence.soonestFirst)
    }

    /// Past charges that were never confirmed, newest first.
    ///
    /// - Parameter limit: the newest ones; nil for all.
    func missed(limit: Int? = nil) throws -> [Occurrence] {
        var first = CalendarDay.earliest
        if let limit {
            // The day of the last one that is wanted; others of that day are read and dropped.
            let sql = "SELECT due_day FROM ledger WHERE fate = 0 AND due_day < ? ORDER BY due_day DESC LIMIT 1 OFFSET ?"
            first = try session.first(sql, [.day(today), .count(max(limit - 1, 0))]) { try $0.day(0) } ?? first
        }
        let all = try ledger(from: first, through: today.adding(days: -1), fates: "0").reversed()
        return limit.map { Array(all.prefix($0)) } ?? Array(all)
    }

    private func passed(from first: CalendarDay, through last: CalendarDay) throws -> [Occurrence] {
        // Without what was taken back, such as by a later start: skipped, but not by the user.
        first > last
            ? []
            : try ledger(
                from: first, through: last, fates: "0, 1, 2, 3, 4", shown: Self.shownFate,
                and: "(fate <> 3 OR acted_at IS NOT NULL)")
    }

    /// Rows of the ledger, soonest first.
    private func ledger(
        from first: CalendarDay, through last: CalendarDay, fates: String, shown fate: String = "fate",
        and condition: String = "TRUE",
        where isWanted: (_ number: Int64, _ day: Int) -> Bool = { _, _ in true }
    ) throws -> [Occurrence] {
        let sql = """
            SELECT subscription, due_day, \(fate), paid, paid_currency FROM ledger \
            WHERE fate IN (\(fates)) AND due_day BETWEEN ? AND ? AND \(condition)
            """
        var rows: [(number: Int64, day: Int, fate: Int64, paid: Int64?, code: String?)] = []
        try session.forEach(sql, [.day(first), .day(last)]) { row in
            let (number, day) = (try row.integer(0), Int(try row.integer(1)))
            guard isWanted(number, day) else { return }
            let isPaid = !row.isNull(3)
            rows.append(
                (
                    number, day, try row.integer(2), isPaid ? try row.integer(3) : nil,
                    isPaid && !row.isNull(4) ? try row.text(4) : nil
                ))
        }
        guard !rows.isEmpty else { return [] }
        let payees = try LedgerPayees(session, rows.lazy.map(\.number))
        // By day and place in one number: comparing names takes much longer. A subscription has one row a day.
        let earliest = CalendarDay.earliest.daysSinceEpoch
        let order = try rows.indices.map { index in
            let key = UInt64(rows[index].day - earliest) << 32 | UInt64(try payees.place(of: rows[index].number))
            return (key: key, index: index)
        }.sorted { $0.key < $1.key }
        return try order.map { key, index in
            let row = rows[index]
            let payee = payees.all[Int(key & 0xFFFF_FFFF)]
            guard let day = CalendarDay(daysSinceEpoch: row.day) else { throw SQLError.malformed("day") }
            let price = payee.price(on: day)
            return Occurrence(
                id: OccurrenceID(subscriptionID: payee.id, billingOn: day), name: payee.name,
                amount: try Self.paid(row.paid, row.code, price.currency) ?? price, fate: try Self.fate(row.fate),
                today: today)
        }
    }

    /// A subscription with future charges.
    struct Coming {
        enum Prices {
            case steady(Money)
            case dated(Subscription)
        }

        let number: Int64
        let id: UUID
        let name: String
        let prices: Prices

        func occurrence(_ day: CalendarDay, fate: OccurrenceFate, today: CalendarDay) -> Occurrence {
            let price =
                switch prices {
                case .steady(let price): price
                case .dated(let subscription): subscription.price(on: day)
                }
            return Occurrence(
                id: OccurrenceID(subscriptionID: id, billingOn: day), name: name, amount: price, fate: fate,
                today: today)
        }
    }

    /// Visits the charges of a range that starts today or later, one subscription after the other, in the order of
    /// their next charge. When `visit` returns false, the rest of that subscription is skipped.
    ///
    /// - Parameter isDone: called with the next charge of each subscription; true ends the visit.
    func visitComing(
        from first: CalendarDay, through last: CalendarDay, isDone: (CalendarDay) -> Bool = { _ in false },
        _ visit: (Coming, CalendarDay) throws -> Bool
    ) throws {
        struct Done: Error {}
        let table = SubscriptionTable(session)
        var currencies = CurrencyCache()
        do {
            try session.forEach(Self.comingSQL, [.day(last)]) { row in
                let number = try row.integer(1)
                let due = try row.day(0)
                if isDone(due) { throw Done() }
                if try row.integer(2) == 0 {
                    let subscription = try table.load(number: number)
                    let coming = Coming(
                        number: number, id: subscription.id, name: subscription.name, prices: .dated(subscription))
                    for day in subscription.charges(from: first, through: last) where try !visit(coming, day) { break }
                    return
                }
                guard let cycle = CycleCode.cycle(try row.integer(3)) else { throw SQLError.malformed("cycle") }
                let price = Money(minorUnits: try row.integer(4), currency: try currencies.currency(try row.integer(5)))
                let coming = Coming(
                    number: number, id: try row.halvedUUID(6), name: try row.text(8), prices: .steady(price))
                try Self.visit(
                    cycle.step, due: due, from: first, through: last,
                    anchor: { try table.load(number: number).schedule }
                ) { try visit(coming, $0) }
            }
        } catch is Done {}
    }

    private static let comingSQL = """
        SELECT due_day, num, is_steady, cycle, amount, currency, id_high, id_low, name FROM standings \
        INDEXED BY idx_standings_due_day WHERE due_day IS NOT NULL AND due_day <= ? ORDER BY due_day
        """

    /// Visits the charges of a subscription without changes. With a cycle in months, more than one charge requires the
    /// anchor, because the next charge may be at the end of a short month.
    private static func visit(
        _ step: BillingStep, due: CalendarDay, from first: CalendarDay, through last: CalendarDay,
        anchor: () throws -> BillingSchedule, _ visit: (CalendarDay) throws -> Bool
    ) throws {
        switch step {
        case .once:
            if due >= first { _ = try visit(due) }
        case .days(let count):
            var day = due
            if day < first { day = day.adding(days: (day.days(until: first) + count - 1) / count * count) }
            while day <= last, try visit(day), day < .latest { day = day.adding(days: count) }
        case .months(let count):
            if due >= first, try !visit(due) { return }
            // Charges are at least 28 days per month apart, so short ranges do not need the anchor.
            guard due.adding(days: 28 * count) <= last else { return }
            for day in try anchor().days(from: max(first, due.adding(days: 1)), through: last) where try !visit(day) {
                return
            }
        }
    }
}
