import SQLDatabase
import SubGuardDomain
import SubGuardEngine
import SubGuardStatements

/// What a store has that statements are compared with.
struct StoredForStatements {
    private let known: [KnownSubscription]
    private let catalogue: PayeeCatalogue
    fileprivate let version: StoreVersion

    /// - Parameter starter: the items of the built-in catalogue; nil when the store has a newer one.
    init(_ session: any SQLSession, starter: [CatalogueItem]?) throws {
        version = try StoreVersion(session)
        catalogue = PayeeCatalogue(try starter ?? DeviceStore.Catalogue.items(in: session))
        known = try RecordedSubscription.all(in: session).map { recorded in
            KnownSubscription(
                recorded.subscription,
                ledger: recorded.charges.mapValues { KnownSubscription.LedgerFact(fate: $0.fate, paid: $0.paid) },
                pricesEnteredOn: recorded.pricesEnteredOn)
        }
    }

    /// Needs no store: a long file takes long, and others may write meanwhile.
    func comparison(with bookings: [StatementBooking], today: CalendarDay) -> StatementComparison {
        let charges = RecurringCharges(bookings, names: known.map(\.subscription.name), catalogue: catalogue)
        let found = StatementReconciliation(charges, known: known, catalogue: catalogue)
        let corrections = StatementCorrection.find(charges, found, known: known, catalogue: catalogue, today: today)
        let names = known.filter { found.recognisedIDs.contains($0.subscription.id) }.map(\.subscription.name).sorted()
        return StatementComparison(found: found, names: names, corrections: corrections, version: version)
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
        // All amounts may be a thousand times too large or too small.
        if report.files.contains(where: \.isDecimalMarkAssumed) {
            for place in report.proposals.indices {
                report.proposals[place].confidence = min(report.proposals[place].confidence, .likely)
            }
        }
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
