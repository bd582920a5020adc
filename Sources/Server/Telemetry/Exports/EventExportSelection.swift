package import EventLog
import JSONWire
package import SubGuardDomain

/// The form of an export of events.
package enum EventExportFormat: String, Sendable, CaseIterable {
    /// A JSON object a line.
    case ndjson
    /// A table with a column for each property of the registry.
    case csv
}

/// What an export of events contains.
package struct EventExportSelection: Sendable, Hashable {
    package var format = EventExportFormat.ndjson
    /// Only events that occurred at this instant or later …
    package var from: UTCInstant?
    /// … and before this one.
    package var before: UTCInstant?
    /// Only events that arrived after this one.
    package var after: EventPosition?
    /// Maximum number of events.
    package var limit: Int?
    /// Whether a CSV export begins with the names of its columns. Default: unless it continues another.
    package var hasHeader: Bool
    /// Whether a header is preceded by a byte order mark, by which Excel recognises UTF-8.
    package var hasMark: Bool

    package init(
        format: EventExportFormat = .ndjson, from: UTCInstant? = nil, before: UTCInstant? = nil,
        after: EventPosition? = nil, limit: Int? = nil, hasMark: Bool = false
    ) {
        self.format = format
        self.from = from
        self.before = before
        self.after = after
        self.limit = limit
        hasHeader = after == nil
        self.hasMark = hasMark
    }

    func contains(_ instant: UTCInstant) -> Bool {
        instant >= from ?? .earliest && before.map { instant < $0 } ?? true
    }

    /// The form stored in the audit log.
    var auditJSON: String {
        JSONWriter.text { writer in
            writer.field("format", format.rawValue)
            writer.field("from", from?.rfc3339)
            writer.field("to", before?.rfc3339)
            writer.field("after", after?.text)
            writer.field("limit", limit)
        }
    }
}
