import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

extension UnitOfWork {
    /// What became of a charge; open when the ledger has no row of it.
    ///
    /// - Parameter number: of the subscription.
    package func fate(of number: Int64, on day: CalendarDay) throws -> OccurrenceFate {
        guard let row = try EntityTables.ledger.row([.integer(number), .day(day)], in: session) else { return .open }
        var values = ValueReader(row.values)
        return try OccurrenceReader.fate(try values.integer())
    }

    /// The first day whose charges are judged: that of entry, or an earlier one of which the ledger has more than an
    /// assumed charge, such as one of an imported history.
    package func firstJudgedDay(of subscription: Subscription, _ number: Int64) throws -> CalendarDay {
        let sql = "SELECT min(due_day) FROM ledger WHERE subscription = ? AND coalesce(withheld, fate) IN (0, 1, 2)"
        let first = try session.first(sql, [.integer(number)]) { try $0.optionalDay(0) } ?? nil
        let entry = moment.time.day(at: subscription.createdAt)
        return min(entry, first ?? entry)
    }

    /// Whether a charge is no part of the score, as one of before the day of entry.
    func isBeforeEntry(
        _ day: CalendarDay, _ fate: OccurrenceFate, of subscription: Subscription, _ number: Int64
    ) throws -> Bool {
        switch fate {
        case .assumed: true
        case .open, .confirmed, .late: false
        case .skipped: try day < firstJudgedDay(of: subscription, number)
        }
    }

    /// Writes what became of a charge, and the amount. ``refreshProjection(of:)`` follows.
    package func post(_ number: Int64, _ day: CalendarDay, _ fate: OccurrenceFate, _ amount: Money) throws {
        try EntityTables.ledger.save(
            [.integer(number), .day(day)],
            [
                .count(fate.rawValue), .instant(moment.now), .integer(amount.minorUnits),
                .text(amount.currency.code),
            ], in: self)
    }

    /// Computes anew what follows from the ledger of a subscription.
    package func refreshProjection(of number: Int64) throws {
        try SubscriptionProjection(session: session, today: today).refresh(number: number)
    }
}
