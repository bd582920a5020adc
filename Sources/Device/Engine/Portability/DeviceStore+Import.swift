public import Foundation
import SQLDatabase
import SubGuardDomain

/// The result of an import or a dry run.
public struct ImportReport: Sendable, Hashable {
    /// The new subscriptions, in the order of the file.
    public var added: [UUID] = []
    /// Existing subscriptions that were changed.
    public var updated: [UUID] = []
    /// Number of other added elements, by section of a JSON export, such as `people`.
    public var others: [String: Int] = [:]
    /// How many other elements were there already, in any section; they have what the file says.
    public var othersPresent = 0
    /// Rows without an id that repeat a subscription of the database or of another row, and were skipped.
    public var repeated: [RepeatedRow] = []
    /// Columns of a table, or members of elements of JSON, that are not known and hold something.
    public var ignored: [String] = []
    /// Whether the file has no row and no other element.
    public var isFileEmpty = false
    /// Rows that were skipped.
    public var refused: [DeviceStoreError.RefusedRow] = []
    /// Whether it was a dry run, which stored nothing.
    public var isDryRun = false

    /// A row that repeats a subscription.
    public struct RepeatedRow: Sendable, Hashable {
        /// The line of the file, or the number of the element, starting at 1.
        public var row: Int
        /// The subscription that is there already.
        public var name: String
        /// The id of that subscription.
        public var id: UUID
    }
}

extension DeviceStore.Portability {
    /// Imports a file in one transaction. A file with invalid rows is refused with a list of them, unless the options
    /// allow skipping. Refused when the free tier would be exceeded.
    ///
    /// Calls `progress` every 100 rows with the rows processed and their total; return false to cancel, which changes
    /// nothing.
    public func importFile(
        _ bytes: [UInt8], _ options: ImportOptions, at moment: Moment,
        progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }
    ) throws -> ImportReport {
        try importFile(bytes, options, revision: nil, at: moment, progress)
    }

    /// The same if the database is still as it was shown by ``importPreview(_:_:most:at:)``; throws
    /// ``ChangedSinceShown`` otherwise.
    package func importFile(
        _ bytes: [UInt8], _ options: ImportOptions, of shown: ShownState, at moment: Moment
    ) throws -> ImportReport {
        try importFile(bytes, options, revision: shown.revision, at: moment) { _, _ in true }
    }

    private func importFile(
        _ bytes: [UInt8], _ options: ImportOptions, revision: Int64?, at moment: Moment,
        _ progress: (_ done: Int, _ of: Int) -> Bool
    ) throws -> ImportReport {
        struct DryRun: Error { let report: ImportReport }
        let content = try content(bytes, options, at: moment)
        do {
            return try store.write(at: moment, as: .imported) { unit in
                try unit.requireRevision(revision)
                let report = try take(content, options, unit, progress) { store.makeID(moment) }
                if options.isDryRun { throw DryRun(report: report) }
                return report
            }
        } catch let dryRun as DryRun {
            return dryRun.report
        }
    }

    /// Parses a file before the transaction that imports it, so that other programs can write meanwhile.
    func content(_ bytes: [UInt8], _ options: ImportOptions, at moment: Moment) throws -> ImportContent {
        let file = ImportFile(
            options: options, keepsCategories: try store.premium.isActive(at: moment),
            usual: try store.subscriptions.usualCurrency(), today: moment.today)
        return try DeviceStore.mapping { try file.content(bytes) }
    }

    /// Imports a parsed file within a transaction.
    func take(
        _ content: ImportContent, _ options: ImportOptions, _ unit: UnitOfWork,
        _ progress: (_ done: Int, _ of: Int) -> Bool, makeID: @escaping () -> UUID
    ) throws -> ImportReport {
        let isPremium = try unit.isPremium
        var intake = ImportIntake(
            unit: unit, gate: PremiumGate(isPremium: isPremium), mostCharges: options.mostCharges, newID: makeID)
        intake.report.isDryRun = options.isDryRun
        try intake.take(content, progress)
        let report = intake.report
        let present = try unit.session.first("SELECT count(*) FROM subscriptions", []) { Int(try $0.integer(0)) }
        try PremiumGate(isPremium: isPremium).requireRoom(
            forAdding: report.added.count, to: (present ?? 0) - report.added.count)
        guard report.refused.isEmpty || options.skipsBadRows else {
            throw DeviceStoreError.refusedRows(report.refused)
        }
        guard progress(content.count, content.count) else { throw DeviceStoreError.cancelled }
        return report
    }

    /// Imports a file in the background. Cancelling the task cancels the import.
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
}
