import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What a store has that statements are compared with.
struct StoredForStatements {
    private let known: [KnownSubscription]
    private let catalogue: PayeeCatalogue
    fileprivate let version: StoreVersion

    /// - Parameter starter: the items of the built-in catalogue; nil when the store has a newer one.
    init(_ session: any SQLSession, starter: [CatalogueItem]?) throws {
        version = try StoreVersion(session)
        catalogue = PayeeCatalogue(try starter ?? CatalogueTable(session: session).all())
        known = try Self.known(in: session)
    }

    /// Needs no store: a long file takes long, and others may write meanwhile.
    func comparison(with bookings: [StatementBooking], today: CalendarDay) -> StatementComparison {
        let charges = RecurringCharges(bookings, catalogue: catalogue)
        let found = StatementReconciliation(charges, known: known, catalogue: catalogue)
        let corrections = StatementCorrection.find(charges, found, known: known, catalogue: catalogue, today: today)
        let names = known.filter { found.recognisedIDs.contains($0.subscription.id) }.map(\.subscription.name).sorted()
        return StatementComparison(found: found, names: names, corrections: corrections, version: version)
    }

    /// The stored subscriptions with their ledgers.
    private static func known(in session: any SQLSession) throws -> [KnownSubscription] {
        var ledgers: [Int64: [(day: CalendarDay, fate: Int64, paid: Int64?, code: String?)]] = [:]
        let sql = "SELECT subscription, due_day, fate, paid, paid_currency FROM ledger WHERE withheld IS NULL"
        try session.forEach(sql, []) { row in
            ledgers[try row.integer(0), default: []].append(
                (
                    try row.day(1), try row.integer(2), try row.optionalInteger(3),
                    row.isNull(4) ? nil : try row.text(4)
                ))
        }
        let entered = try pricesEnteredOn(in: session)
        return try SubscriptionTable(session).all().map { number, subscription in
            var facts: [CalendarDay: KnownSubscription.LedgerFact] = [:]
            for row in ledgers[number] ?? [] {
                facts[row.day] = KnownSubscription.LedgerFact(
                    fate: try OccurrenceReader.fate(row.fate),
                    paid: try OccurrenceReader.paid(row.paid, row.code, subscription.price(on: row.day).currency))
            }
            return KnownSubscription(subscription, ledger: facts, pricesEnteredOn: entered[number] ?? [:])
        }
    }

    /// When the prices of each subscription were last written, in UTC, by their first days.
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

/// What statements say of the stored subscriptions.
struct StatementComparison {
    private let found: StatementReconciliation
    /// Of the stored subscriptions with charges in the statements.
    private let names: [String]
    private let corrections: [StatementCorrection]
    private let version: StoreVersion

    fileprivate init(
        found: StatementReconciliation, names: [String], corrections: [StatementCorrection], version: StoreVersion
    ) {
        (self.found, self.names, self.corrections, self.version) = (found, names, corrections, version)
    }

    /// Whether nothing was changed since the store was read.
    func isCurrent(in session: any SQLSession) throws -> Bool { try StoreVersion(session) == version }

    /// Writes what was found, and of it what is accepted, into a report.
    func tell(_ report: inout StatementImportReport, _ matches: StatementMatches) {
        let present = Set(found.proposals.map(\.id))
        // At about the price that was entered, they were taken for charges of it on other days.
        let others = corrections.map(\.proposal).filter { !present.contains($0.id) }
        report.corrections = corrections
        report.proposals = found.proposals + others
        report.confirmed = found.confirmed.filter { matches.accepts($0.id) }
        report.priceChanges = found.priceChanges.filter { matches.accepts($0.id) }
        report.chargedAfterCancelling = found.chargedAfterCancelling
        report.chargedTwice = found.chargedTwice
        report.excluded = found.excluded
        report.refunds = found.refunds
        report.otherAmounts = found.otherAmounts
        report.recognised = found.recognised
        report.recognisedNames = names
        report.otherEntries =
            found.otherEntries - others.flatMap(\.charges).reduce(0) { $0 + $1.entries }
    }
}

/// Differs after each change of a store by any program, and after each day.
struct StoreVersion: Equatable {
    private let revision: Int64?
    private let day: Int64?

    init(_ session: any SQLSession) throws {
        let row = try session.first("SELECT revision, as_of FROM store", []) { (try $0.integer(0), try $0.integer(1)) }
        (revision, day) = (row?.0, row?.1)
    }
}
