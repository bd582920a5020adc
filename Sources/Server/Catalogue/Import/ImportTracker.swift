package import Foundation
package import ServerAccess
package import SubGuardDomain
import Synchronization

/// The running and most recent imports of this process.
package final class ImportTracker: Sendable {
    package struct Entry: Sendable {
        package enum State: String, Sendable, CaseIterable {
            case running
            case done
            case refused
            case failed
        }

        package let id: UUID
        package let isDryRun: Bool
        package fileprivate(set) var rows = 0
        package let startedAt: UTCInstant
        package fileprivate(set) var state = State.running
        /// 0 to 100.
        package fileprivate(set) var percent = 0
        package fileprivate(set) var finishedAt: UTCInstant?
    }

    /// Maximum number of entries kept.
    package static let maximumCount = 20
    private let entries = Mutex<[Entry]>([])
    private let context: BackendContext

    package init(context: BackendContext) { self.context = context }

    /// Newest first.
    package var list: [Entry] { entries.withLock { $0.reversed() } }

    /// Runs an import and adds it to ``list``. `read` returns the rows; it is called only while no other import is
    /// running, because parsing a file takes many times its size in memory. Throws
    /// ``BackendError/overloaded(retryAfterSeconds:)`` while another import is running, and the errors of `read`.
    package func run(
        by actor: Actor, options: CatalogueImportOptions, _ read: () throws -> [CatalogueImportRow]
    ) throws -> CatalogueImportReport {
        let entry = Entry(id: context.makeID(), isDryRun: options.isDryRun, startedAt: context.now())
        try entries.withLock { entries in
            // An import blocks the only writer for seconds; several would block all other writes, and one worker each.
            guard !entries.contains(where: { $0.state == .running }) else {
                throw BackendError.overloaded(retryAfterSeconds: 5)
            }
            entries.append(entry)
            let ended = entries.filter { $0.state != .running }
            if entries.count > Self.maximumCount, let oldest = ended.first { entries.removeAll { $0.id == oldest.id } }
        }
        let rows: [CatalogueImportRow]
        do {
            rows = try read()
        } catch {
            // A file that cannot be read is not listed as an import.
            entries.withLock { $0.removeAll { $0.id == entry.id } }
            throw error
        }
        change(entry.id) { $0.rows = rows.count }
        var options = options
        options.progress = { done, total in
            self.change(entry.id) { $0.percent = done * 100 / max(1, total) }
        }
        var state = Entry.State.failed
        defer {
            change(entry.id) { entry in
                entry.state = state
                entry.finishedAt = context.now()
            }
        }
        let report = try CatalogueStore(context: context).importItems(rows, by: actor, options: options)
        state = report.isApplied || options.isDryRun ? .done : .refused
        change(entry.id) { $0.percent = 100 }
        return report
    }

    private func change(_ id: UUID, _ body: (inout Entry) -> Void) {
        entries.withLock { entries in
            if let place = entries.firstIndex(where: { $0.id == id }) { body(&entries[place]) }
        }
    }
}
