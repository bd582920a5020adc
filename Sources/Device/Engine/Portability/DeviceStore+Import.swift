public import Foundation
import SQLDatabase
import SubGuardDomain

/// What an import did, or would do.
public struct ImportReport: Sendable, Hashable {
    public var added: [UUID] = []
    /// Subscriptions of an id that was there already.
    public var updated: [UUID] = []
    /// What else was taken, by section of a JSON export, such as `people`.
    public var others: [String: Int] = [:]
    /// Rows that were left out.
    public var refused: [DeviceStoreError.RefusedRow] = []
    public var isDryRun = false
}

extension DeviceStore.Portability {
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
            return try store.write(at: moment) { unit in
                let isPremium = try unit.isPremium
                let content = try ImportFile(options: options, keepsCategories: isPremium, today: moment.today)
                    .content(bytes)
                var intake = ImportIntake(unit: unit, gate: PremiumGate(isPremium: isPremium)) { store.makeID(moment) }
                intake.report.isDryRun = options.isDryRun
                try intake.take(content, progress)
                let report = intake.report
                let present = try unit.session.first("SELECT count(*) FROM subscriptions", []) {
                    Int(try $0.integer(0))
                }
                try PremiumGate(isPremium: isPremium).requireRoom(
                    forAdding: report.added.count, to: (present ?? 0) - report.added.count)
                guard report.refused.isEmpty || options.skipsBadRows else {
                    throw DeviceStoreError.refusedRows(report.refused)
                }
                guard progress(content.count, content.count) else { throw DeviceStoreError.cancelled }
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
}
