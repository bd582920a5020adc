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
