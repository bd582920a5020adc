import Foundation
import SQLDatabase
import SubGuardDomain
public import SubGuardEngine
import SubGuardStatements

extension DeviceStore {
    /// Bank statements: find subscriptions, confirm charges.
    public var statements: Statements { Statements(store: self) }

    /// See ``DeviceStore/statements``.
    public struct Statements: Sendable { let store: DeviceStore }
}

extension DeviceStore.Statements {
    /// Reads bank statements, confirms the accepted charges of stored subscriptions, sets their accepted prices, and
    /// adds the accepted proposals with their history, in one transaction that an undo takes back.
    ///
    /// Only subscriptions and their charges are kept: names, days and amounts. Nothing of other entries is stored.
    /// Reading the same or an overlapping statement again changes nothing. Files with rows that cannot be read are
    /// refused with a list of them, unless the options allow skipping.
    ///
    /// Throws ``DeviceStoreError/premiumRequired(_:)`` when the accepted proposals would exceed the free tier.
    public func importFiles(
        _ files: [StatementFile], _ options: StatementImportOptions, at moment: Moment
    ) throws -> StatementImportReport {
        try importFiles(files, options, revision: nil, at: moment)
    }

    /// The same if the database is still as a dry run has shown it; throws ``ChangedSinceShown`` otherwise.
    package func importFiles(
        _ files: [StatementFile], _ options: StatementImportOptions, of shown: ShownState, at moment: Moment
    ) throws -> StatementImportReport {
        try importFiles(files, options, revision: shown.revision, at: moment)
    }

    private func importFiles(
        _ files: [StatementFile], _ options: StatementImportOptions, revision: Int64?, at moment: Moment
    ) throws -> StatementImportReport {
        var report = StatementImportReport()
        report.isDryRun = options.isDryRun
        var options = options
        // What the device uses anyway, for files that name no currency.
        options.reading.usualCurrency = try options.reading.usualCurrency ?? store.subscriptions.usualCurrency()
        let chosen = options
        let bookings = try read(files, chosen, today: moment.today, into: &report)
        let starter = try store.catalogue.starter()?.items
        for _ in 0..<Self.mostComparisons {
            let comparison = try store.read(at: moment) { try StoredForStatements($0, starter: starter) }
                .comparison(with: bookings, today: moment.today)
            if let report = try write(comparison, chosen, report, revision, at: moment) { return report }
        }
        throw DeviceStoreError.storage("other programs keep changing the data; import the statement again")
    }

    /// So often a statement is compared with data that another program changes meanwhile.
    private static let mostComparisons = 3

    /// Nil if the store was changed since the comparison: nothing is written then. Comparing here would keep others
    /// from writing for as long as it takes.
    private func write(
        _ comparison: StatementComparison, _ chosen: StatementImportOptions, _ report: StatementImportReport,
        _ revision: Int64?, at moment: Moment
    ) throws -> StatementImportReport? {
        /// Takes the transaction back.
        struct Kept: Error { let report: StatementImportReport? }
        var report = report
        do {
            return try store.write(at: moment, as: .statementImported) { unit in
                try unit.requireRevision(revision)
                guard try comparison.isCurrent(in: unit.session) else { throw Kept(report: nil) }
                comparison.tell(&report, chosen.matches)
                try requireChosen(chosen.acceptance, among: report.proposals)
                try unit.confirm(report.confirmed)
                try unit.setPrices(report.priceChanges)
                var pastCharges = PastCharges(before: moment.today, most: chosen.mostCharges)
                let corrections = Dictionary(report.corrections.map { ($0.proposal.id, $0) }) { one, _ in one }
                for proposal in report.proposals {
                    if let correction = corrections[proposal.id], !chosen.acceptance.names(proposal) {
                        guard chosen.matches.accepts(correction) else { continue }
                        try unit.correct(correction, &pastCharges)
                        report.corrected.insert(correction.id)
                        continue
                    }
                    guard chosen.acceptance.accepts(proposal) else { continue }
                    let id = try unit.id(of: proposal)
                    try unit.add(proposal, id: id, &pastCharges)
                    report.accepted[proposal.id] = id
                }
                if chosen.isDryRun { throw Kept(report: report) }
                return report
            }
        } catch let kept as Kept {
            return kept.report
        }
    }

    private func read(
        _ files: [StatementFile], _ options: StatementImportOptions, today: CalendarDay,
        into report: inout StatementImportReport
    ) throws -> [StatementBooking] {
        var bookings: [StatementBooking] = []
        var overlap = StatementOverlap()
        var reach = StatementReach()
        var places: [Range<Int>] = []
        for file in files {
            var statement: Statement
            do {
                statement = try DeviceStore.mapping { try Statement.read(file.bytes, options.reading) }
            } catch let error as DeviceStoreError where files.count > 1 {
                throw DeviceStoreError.inFile(file.name, error)
            }
            statement.refuseImpossibleDays(today: today)
            report.files.append(
                StatementImportReport.File(
                    name: file.name, format: statement.format, encoding: statement.encoding,
                    layout: statement.layout,
                    notes: statement.notes + [statement.furtherRefused].compactMap { $0 },
                    dates: statement.dates, isDecimalMarkAssumed: statement.isDecimalMarkAssumed,
                    rows: statement.bookings.count))
            report.refusedCount += statement.refusedCount
            report.refused += statement.refused.map {
                StatementImportReport.RefusedRow(
                    file: file.name, row: $0.row, fault: $0.fault, column: $0.column, value: $0.value)
            }
            if files.count > 1 {
                reach.add(statement)
                overlap.remove(from: &statement.bookings)
                places.append(bookings.count..<bookings.count + statement.bookings.count)
            }
            bookings += statement.bookings
        }
        for (places, day) in zip(places, reach.lastDays) {
            for place in places { bookings[place].knownUntil = day }
        }
        guard report.refused.isEmpty || options.skipsBadRows else {
            throw DeviceStoreError.refusedRows(
                report.refused.map { row in
                    var refused = DeviceStoreError.RefusedRow(row: row.row, fault: row.fault)
                    if files.count > 1 { refused.file = row.file }
                    return refused
                }, further: report.refusedCount - report.refused.count)
        }
        return bookings
    }

    private func requireChosen(_ acceptance: StatementAcceptance, among proposals: [StatementProposal]) throws {
        guard case .chosen(let ids) = acceptance else { return }
        for id in ids.sorted() where !proposals.contains(where: { $0.id == id }) {
            throw Fault("accept", .notFound, "No proposal has the id \(id).")
        }
    }
}

extension UnitOfWork {
    /// Writes the charges that statements prove. One that came back whole counts as not charged; of one that came back
    /// in part, the rest is what was paid.
    fileprivate func confirm(_ confirmations: [StatementReconciliation.Confirmation]) throws {
        var changed: Set<Int64> = []
        // Each is read once: a read takes the time of all charges that the ledger has of it from today on.
        var known: [UUID: (number: Int64, trackedFrom: CalendarDay, judgedFrom: CalendarDay)] = [:]
        var last: [UUID: StatementReconciliation.Confirmation] = [:]
        for confirmation in confirmations {
            let id = confirmation.occurrence
            if !confirmation.charge.isRefunded,
                id.billingOn >= last[id.subscriptionID]?.occurrence.billingOn ?? .earliest
            {
                last[id.subscriptionID] = confirmation
            }
            if known[id.subscriptionID] == nil {
                let number = try subscriptions.requireNumber(of: id.subscriptionID)
                let subscription = try subscriptions.load(number: number)
                known[id.subscriptionID] = (
                    number, subscription.trackedFrom, try firstJudgedDay(of: subscription, number)
                )
            }
            guard let (number, trackedFrom, judgedFrom) = known[id.subscriptionID] else { continue }
            let former = try fate(of: number, on: id.billingOn)
            // No person could confirm in time what was charged before it was entered.
            let fate: OccurrenceFate =
                if confirmation.charge.isRefunded {
                    .skipped
                } else if id.billingOn < judgedFrom || former == .assumed {
                    .assumed
                } else if id.billingOn < trackedFrom {
                    .confirmed
                } else {
                    former.confirmed(billingOn: id.billingOn, today: today)
                }
            try post(number, id.billingOn, fate, confirmation.charge.posted)
            if id.billingOn >= today { changed.insert(number) }
        }
        for number in changed.sorted() {
            try refreshProjection(of: number)
        }
        // The booking says when it was paid.
        for confirmation in last.values {
            try renew(confirmation.occurrence, paidOn: min(confirmation.charge.on, today))
        }
    }

    /// Each subscription is saved once, however many prices it gets.
    fileprivate func setPrices(_ changes: [StatementReconciliation.PriceChange]) throws {
        let bySubscription = Dictionary(grouping: changes, by: \.subscriptionID)
        for (id, changes) in bySubscription.sorted(by: { $0.key < $1.key }) {
            var subscription = try subscriptions.load(id)
            for change in changes {
                // An amount that was entered after these charges was a guess: theirs is the price from then on, too.
                if change.on < subscription.startedOn, subscription.prices.isEmpty { subscription.price = change.to }
                subscription.setPrice(change.to, from: change.on)
            }
            try save(subscription.validated())
        }
    }

    /// The same on all devices that read the statement, so that a merge finds one subscription and not two. Of
    /// contracts that begin alike, the next one gets the next id.
    fileprivate func id(of proposal: StatementProposal) throws -> UUID {
        var number = 0
        while true {
            let id = DerivedID.of("\(proposal.origin)\u{0}\(number)")
            if try subscriptions.number(of: id) == nil { return id }
            number += 1
        }
    }

    /// Adds an accepted proposal with its past charges.
    fileprivate func add(_ proposal: StatementProposal, id: UUID, _ pastCharges: inout PastCharges) throws {
        let subscription = try proposal.subscription(id: id, today: today, now: moment.now)
        try pastCharges.take(subscription)
        try readingSubscription(id) {
            try add(subscription, hasHistory: true)
            let number = try subscriptions.requireNumber(of: id)
            try record(proposal, of: number, judgedFrom: try firstJudgedDay(of: subscription, number))
        }
    }

    /// Records the charges of a proposal as those of a subscription; those before `judgedFrom` are no part of the
    /// score.
    func record(_ proposal: StatementProposal, of number: Int64, judgedFrom: CalendarDay) throws {
        var posted: Set<CalendarDay> = []
        for charge in proposal.charges {
            let due = proposal.due(charge)
            let day = posted.contains(due) ? charge.on : due
            posted.insert(day)
            let fate: OccurrenceFate = charge.isRefunded ? .skipped : day < judgedFrom ? .assumed : .confirmed
            try post(number, day, fate, charge.posted)
        }
        try refreshProjection(of: number)
    }
}

extension StatementCharge {
    /// What the ledger has: the amount of a charge that did not count, else what was paid in the end.
    fileprivate var posted: Money { isRefunded ? amount : paid }
}
