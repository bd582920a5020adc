package import Backend
import Foundation
import JSONWire
import SubGuardDomain
import Synchronization

/// The imports of this process: those that run, and the last ones that ended.
package final class ImportTracker: Sendable {
    struct Entry: Sendable {
        enum State: String {
            case running
            case done
            case refused
            case failed
        }

        let id: UUID
        let isDryRun: Bool
        var rows = 0
        let startedAt: UTCInstant
        var state = State.running
        /// 0…100.
        var percent = 0
        var finishedAt: UTCInstant?
    }

    private static let remembered = 20
    private let entries = Mutex<[Entry]>([])
    private let context: BackendContext

    package init(context: BackendContext) { self.context = context }

    /// Newest first.
    var list: [Entry] { entries.withLock { $0.reversed() } }

    /// Runs an import that ``list`` shows. `read` makes its rows; it is called only when no other import runs, because a
    /// file takes many times its size in memory. Throws ``BackendError/overloaded(retryAfterSeconds:)`` while another one
    /// runs, and what `read` throws.
    func run(
        by actor: Actor, options: CatalogueImportOptions, _ read: () throws -> [CatalogueImportRow]
    ) throws -> CatalogueImportReport {
        let entry = Entry(id: context.makeID(), isDryRun: options.isDryRun, startedAt: context.now())
        try entries.withLock { entries in
            // Each holds the store's one writer for seconds; several would hold it, and a worker each, for all others.
            guard !entries.contains(where: { $0.state == .running }) else {
                throw BackendError.overloaded(retryAfterSeconds: 5)
            }
            entries.append(entry)
            let ended = entries.filter { $0.state != .running }
            if entries.count > Self.remembered, let oldest = ended.first { entries.removeAll { $0.id == oldest.id } }
        }
        let rows: [CatalogueImportRow]
        do {
            rows = try read()
        } catch {
            // What cannot be read is no import.
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

extension ImportTracker.Entry {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id.lowercased)
        writer.field("state", state.rawValue)
        writer.field("dry_run", isDryRun)
        writer.field("rows", rows)
        writer.field("percent", percent)
        writer.field("started_at", startedAt.rfc3339)
        writer.field("finished_at", finishedAt?.rfc3339)
        writer.endObject()
    }
}
