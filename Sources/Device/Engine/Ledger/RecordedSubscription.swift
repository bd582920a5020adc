package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// A stored subscription with what the ledger and the stamps say of it, for a comparison with bank statements.
package struct RecordedSubscription {
    package let subscription: Subscription
    /// By due day. `paid` is nil where the price of the day counts.
    package let charges: [CalendarDay: (fate: OccurrenceFate, paid: Money?)]
    /// The days, in UTC, on which its prices were last written, by the first day of each dated one;
    /// ``CalendarDay/earliest`` stands for the initial price.
    package let pricesEnteredOn: [CalendarDay: CalendarDay]

    /// All of them, with their whole ledgers.
    package static func all(in session: any SQLSession) throws -> [RecordedSubscription] {
        var ledgers: [Int64: [(day: CalendarDay, fate: Int64, paid: Int64?, code: String?)]] = [:]
        let fate = OccurrenceReader.shownFate
        let sql = "SELECT subscription, due_day, \(fate), paid, paid_currency FROM ledger WHERE withheld IS NULL"
        try session.forEach(sql, []) { row in
            ledgers[try row.integer(0), default: []].append(
                (
                    try row.day(1), try row.integer(2), try row.optionalInteger(3),
                    row.isNull(4) ? nil : try row.text(4)
                ))
        }
        let entered = try pricesEnteredOn(in: session)
        return try SubscriptionTable(session).all().map { number, subscription in
            var charges: [CalendarDay: (fate: OccurrenceFate, paid: Money?)] = [:]
            for row in ledgers[number] ?? [] {
                charges[row.day] = (
                    try OccurrenceReader.fate(row.fate),
                    try OccurrenceReader.paid(row.paid, row.code, subscription.price(on: row.day).currency)
                )
            }
            return RecordedSubscription(
                subscription: subscription, charges: charges, pricesEnteredOn: entered[number] ?? [:])
        }
    }

    private static func pricesEnteredOn(
        in session: any SQLSession
    ) throws -> [Int64: [CalendarDay: CalendarDay]] {
        var entered: [Int64: [CalendarDay: CalendarDay]] = [:]
        func note(_ number: Int64, _ first: CalendarDay, _ register: String, _ stamps: Stamps) {
            guard let stamp = HybridTimestamp(wire: stamps[register]) else { return }
            entered[number, default: [:]][first] = UTCInstant(millisecondsSinceEpoch: stamp.milliseconds).day
        }
        try session.forEach("SELECT num, stamp, stamps FROM subscriptions", []) { row in
            let stamps = Stamps(base: try row.text(1), wire: try row.text(2))
            note(try row.integer(0), .earliest, "price", stamps)
        }
        let dated = "SELECT subscription, from_day, stamp, stamps FROM prices WHERE is_removed = 0"
        try session.forEach(dated, []) { row in
            let stamps = Stamps(base: try row.text(2), wire: try row.text(3))
            note(try row.integer(0), try row.day(1), "amount", stamps)
        }
        return entered
    }
}

/// Differs after each change of a store by any program, and after each day.
package struct StoreVersion: Equatable {
    private let revision: Int64?
    private let day: Int64?

    package init(_ session: any SQLSession) throws {
        let row = try session.first("SELECT revision, as_of FROM store", []) { (try $0.integer(0), try $0.integer(1)) }
        (revision, day) = (row?.0, row?.1)
    }
}
