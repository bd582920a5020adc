public import Foundation
import SQLDatabase
public import SubGuardDomain
import TextCoding

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
        try PremiumGate(isPremium: isPremium).requireRoom(
            forAdding: report.added.count, to: unit.presentSubscriptions() - report.added.count)
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

extension DeviceStore.Portability {
    /// What ``importFile(_:_:at:progress:)`` would change. Changes nothing; throws what that throws. Lists at most
    /// `most` things of each effect, and counts the others.
    public func importPreview(
        _ bytes: [UInt8], _ options: ImportOptions, most: Int = 100, at moment: Moment
    ) throws -> (report: ImportReport, differences: StoreDifferences) {
        struct Imported: Error {
            let old: BackupDocument
            let new: BackupDocument
        }
        struct Preview: Error {
            let report: ImportReport
            let differences: StoreDifferences
        }
        let content = try content(bytes, options, at: moment)
        let ids = RepeatedIDs { store.makeID(moment) }
        do {
            // Once to see which rows differ, and once more to put both sides of them in words. Both are rolled back.
            let imported: Imported
            do {
                imported = try store.write(at: moment, as: .imported) { unit -> Imported in
                    let old = try BackupDocument.read(unit.session) { _, _ in }
                    _ = try take(content, options, unit, { _, _ in true }, makeID: ids.next)
                    throw Imported(old: old, new: try BackupDocument.read(unit.session) { _, _ in })
                }
            } catch let found as Imported {
                imported = found
            }
            ids.startAgain()
            let preview = try store.write(at: moment, as: .imported) { unit -> Preview in
                var comparison = StoreComparison(from: imported.old, to: imported.new, most: most)
                try comparison.lookBefore(unit)
                let report = try take(content, options, unit, { _, _ in true }, makeID: ids.next)
                throw Preview(report: report, differences: try comparison.report(after: unit))
            }
            return (preview.report, preview.differences)
        } catch let preview as Preview {
            return (preview.report, preview.differences)
        }
    }
}

/// The same ids again in the same order.
private final class RepeatedIDs {
    private let make: () -> UUID
    private var made: [UUID] = []
    private var place = 0

    init(_ make: @escaping () -> UUID) { self.make = make }

    func next() -> UUID {
        if place == made.count { made.append(make()) }
        place += 1
        return made[place - 1]
    }

    func startAgain() { place = 0 }
}

/// The first rows of a CSV table of subscriptions, for people to say what its columns hold when that cannot be told.
public struct ImportTable: Sendable {
    /// What is known of each column.
    public var columns: ImportColumns
    /// The lines of the file with their cells, as they can be shown on one line; the header is the first.
    public var rows: [(line: Int, cells: [String])]

    /// Reads at most `most` rows, the header included. Nil for what is no CSV with a header.
    public init?(_ bytes: [UInt8], rows most: Int = 8) {
        var reader = CSVReader(detectingSeparator: bytes)
        guard let header = try? reader.next(), header.fields.count > 1 else { return nil }
        columns = ImportColumns(recognising: header.fields)
        rows = [(header.line, header.fields.map { RefusedBooking.shown($0) })]
        while rows.count < most, let record = try? reader.next() {
            let cells = record.fields.prefix(header.fields.count).map { RefusedBooking.shown($0) }
            rows.append((record.line, cells))
        }
    }
}
