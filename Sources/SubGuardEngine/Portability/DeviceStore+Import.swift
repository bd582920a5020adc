public import Foundation
import SQLDatabase
import SubGuardDomain

/// What an import did, or would do.
public struct ImportReport: Sendable, Hashable {
    public var added: [UUID] = []
    /// Subscriptions of an id that was there already.
    public var updated: [UUID] = []
    /// Rows that were left out.
    public var refused: [DeviceStoreError.RefusedRow] = []
    public var isDryRun = false
}

extension DeviceStore {
    /// Takes in a file in one transaction. A file with bad rows is refused whole, naming each, unless the options say
    /// otherwise; one that would pass the free tier always is.
    ///
    /// - Parameter progress: called with the rows done and their number, every hundred rows; false cancels, and then
    ///   nothing is kept.
    public func importFile(
        _ bytes: [UInt8], _ options: ImportOptions, at moment: Moment,
        progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }
    ) throws -> ImportReport {
        struct DryRun: Error { let report: ImportReport }
        do {
            return try write(at: moment) { unit in
                let isPremium = try unit.isPremium
                let rows = try ImportFile(options: options, keepsCategories: isPremium, today: moment.today).rows(bytes)
                var report = ImportReport(isDryRun: options.isDryRun)
                for (index, row) in rows.enumerated() {
                    if index.isMultiple(of: 100), !progress(index, rows.count) { throw DeviceStoreError.cancelled }
                    do {
                        try take(try row.get(), in: unit, isPremium: isPremium, &report)
                    } catch let refused as DeviceStoreError.RefusedRow {
                        report.refused.append(refused)
                    }
                }
                let present = try unit.session.first("SELECT count(*) FROM subscriptions", []) {
                    Int(try $0.integer(0))
                }
                try PremiumGate(isPremium: isPremium).requireRoom(
                    forAdding: report.added.count, to: (present ?? 0) - report.added.count)
                guard report.refused.isEmpty || options.skipsBadRows else {
                    throw DeviceStoreError.refusedRows(report.refused)
                }
                guard progress(rows.count, rows.count) else { throw DeviceStoreError.cancelled }
                if options.isDryRun { throw DryRun(report: report) }
                return report
            }
        } catch let dryRun as DryRun {
            return dryRun.report
        }
    }

    /// The same in the background, off the caller's thread; cancelling the task cancels the import.
    public func importInBackground(
        _ bytes: [UInt8], _ options: ImportOptions, at moment: Moment,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> ImportReport {
        let work = Task.detached {
            try self.importFile(bytes, options, at: moment) { done, count in
                progress(done, count)
                return !Task.isCancelled
            }
        }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func take(
        _ row: ImportRow, in unit: UnitOfWork, isPremium: Bool, _ report: inout ImportReport
    ) throws {
        do {
            let gate = PremiumGate(isPremium: isPremium)
            let id = try row.draft[.id].map { text in
                guard text.utf8.count == 36, let id = UUID(uuidString: text) else {
                    throw InvalidField(field: "id", code: "invalid_format", detail: "Must be a UUID.")
                }
                return id
            }
            if let id, var present = try unit.subscriptions.find(id) {
                let category = present.category
                try present.edit(row.draft.filter { $0.key != .id }, today: unit.today)
                try gate.requireCategory(present.category, current: category)
                try unit.take(row, try row.applied(to: present))
                report.updated.append(id)
            } else {
                let subscription = try row.applied(
                    to: Subscription.make(
                        row.draft, id: makeID(unit.moment), today: unit.today, now: unit.moment.now))
                try gate.requireCategory(subscription.category)
                try unit.take(row, subscription)
                report.added.append(subscription.id)
                try unit.noteAdded(subscription)
            }
        } catch let error as InvalidField {
            throw ImportFile.refused(row.number, error)
        } catch let refusal as PremiumGate.Refusal {
            let detail = "Categories other than pro and personal need premium."
            _ = refusal
            throw ImportFile.refused(
                row.number, InvalidField(field: "category", code: "premium_required", detail: detail))
        }
    }
}

extension ImportRow {
    /// The subscription with the row's dated prices and states.
    fileprivate func applied(to subscription: Subscription) throws(InvalidField) -> Subscription {
        var subscription = subscription
        for (index, price) in prices.enumerated() {
            guard let day = CalendarDay(iso: price.from) else { throw Self.invalidDay("prices") }
            let amount = try FieldRules.positive(
                try FieldRules.amount(price.amount, subscription.currency, field: "prices"), field: "prices")
            if index == 0, day <= subscription.startedOn { subscription.price = amount }
            subscription.setPrice(amount.minorUnits, from: day)
        }
        for dated in states {
            guard let day = CalendarDay(iso: dated.from) else { throw Self.invalidDay("states") }
            guard let state = SubscriptionState.allCases.first(where: { $0.wire == dated.state }) else {
                throw InvalidField(
                    field: "states", code: "invalid_format", detail: "Must be active, paused or cancelled.")
            }
            subscription.setState(state, from: day)
        }
        return try subscription.validated()
    }

    fileprivate static func invalidDay(_ field: String) -> InvalidField {
        InvalidField(field: field, code: "invalid_format", detail: "Must have days written YYYY-MM-DD.")
    }
}

extension UnitOfWork {
    /// Writes the subscription and its ledger; nothing of a row that is refused, so that it can be left out.
    fileprivate func take(_ row: ImportRow, _ subscription: Subscription) throws {
        let ledger = try ledger(row, of: subscription)
        try save(subscription)
        guard !ledger.isEmpty else { return }
        let number = try subscriptions.requireNumber(of: subscription.id)
        for entry in ledger {
            let key: [SQLValue] = [.integer(number), .day(entry.day)]
            if entry.fate == .open, entry.paid == nil, try EntityTables.ledger.row(key, in: session) == nil {
                // Nobody acted on it: as the schedule would have posted it.
                try session.execute("INSERT INTO ledger (subscription, due_day) VALUES (?, ?)", key)
                continue
            }
            try EntityTables.ledger.save(
                key,
                [
                    .count(entry.fate.rawValue), entry.fate == .open ? .null : .instant(moment.now),
                    .integer(orNull: entry.paid),
                ], in: self)
        }
    }

    private func ledger(
        _ row: ImportRow, of subscription: Subscription
    ) throws -> [(day: CalendarDay, fate: OccurrenceFate, paid: Int64?)] {
        var ledger: [(day: CalendarDay, fate: OccurrenceFate, paid: Int64?)] = []
        for entry in row.ledger {
            guard let day = CalendarDay(iso: entry.day) else { throw ImportRow.invalidDay("history") }
            let fate: OccurrenceFate =
                switch OccurrenceStatus(rawValue: entry.status) {
                case .acknowledged: .acknowledged
                case .late: .late
                case .skipped: .skipped
                case .missed, .pending, .expected: .open
                case nil:
                    throw InvalidField(field: "history", code: "invalid_format", detail: "Has an unknown status.")
                }
            guard fate != .open || day < today else { continue }
            let paid = try entry.paid.map { text in
                try FieldRules.positive(
                    try FieldRules.amount(text, subscription.currency, field: "history"), field: "history")
            }
            ledger.append((day, fate, paid?.minorUnits))
        }
        return ledger
    }
}
