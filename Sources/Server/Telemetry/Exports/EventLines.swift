package import EventLog
import Foundation
import JSONWire
package import SubGuardDomain
import TextCoding

/// Writes events as lines, each of which ends with a line feed.
struct EventLines: Sendable {
    private let format: EventExportFormat
    /// The properties of the current block in one snapshot, by the number of their set.
    private var block: Int64 = 0
    private var sets: [Int?: Properties] = [:]
    /// Those of archived events, by their JSON.
    private var archived: [[UInt8]: Properties] = [:]

    private static let mostArchived = 10_000

    init(format: EventExportFormat) { self.format = format }

    static let properties: [String] = EventRegistry.events.flatMap(\.properties).map(\.name).reduce(into: []) {
        if !$0.contains($1) { $0.append($1) }
    }

    /// The first line of a CSV export.
    static var header: [UInt8] {
        var writer = CSVWriter()
        writer.record(["block", "id", "name", "user", "timestamp", "received_at"] + properties)
        return writer.bytes
    }

    /// Begins another snapshot, in which a block of the same number may have been rewritten.
    mutating func beginSnapshot() { (block, sets) = (0, [:]) }

    /// Properties as the format writes them; only one of the two is needed.
    private struct Properties: Sendable {
        var object: [UInt8] = Array("{}".utf8)
        var cells: [String] = []
    }

    private struct Line {
        let block: Int64
        let id: UUID
        let name: String
        let user: Int64
        let occurredAt: UTCInstant
        let receivedAt: UTCInstant
    }

    /// Throws ``EventBlockError``, without the block, for properties that are not a JSON object.
    mutating func append(_ visit: EventLogWalk.Visit, name: String, user: Int64, to bytes: inout [UInt8]) throws {
        if visit.block != block { (block, sets) = (visit.block, [:]) }
        let properties =
            try sets[visit.event.set] ?? packed(visit.event.set.map(visit.reader.properties(ofSet:)) ?? [])
        sets[visit.event.set] = properties
        write(
            Line(
                block: visit.block, id: visit.event.id.uuid, name: name, user: user,
                occurredAt: visit.event.occurredAt, receivedAt: visit.event.receivedAt), properties, to: &bytes)
    }

    mutating func append(_ event: ArchivedEvent, user: Int64, to bytes: inout [UInt8]) throws {
        let properties = try archived[event.properties] ?? packed(event.properties)
        if archived.count >= Self.mostArchived { archived.removeAll(keepingCapacity: true) }
        archived[event.properties] = properties
        write(
            Line(
                block: event.block, id: event.id, name: event.name, user: user, occurredAt: event.occurredAt,
                receivedAt: event.receivedAt), properties, to: &bytes)
    }

    private func write(_ line: Line, _ properties: Properties, to bytes: inout [UInt8]) {
        switch format {
        case .ndjson:
            bytes += JSONWriter.bytes(capacity: 320) { writer in
                writer.field("block", line.block)
                writer.field("id", line.id.lowercased)
                writer.field("name", line.name)
                writer.field("user", line.user)
                writer.field("timestamp", line.occurredAt.rfc3339)
                writer.field("received_at", line.receivedAt.rfc3339)
                writer.key("properties")
                writer.raw(properties.object)
            }
            bytes.append(UInt8(ascii: "\n"))
        case .csv:
            var writer = CSVWriter()
            writer.record(
                [
                    "\(line.block)", line.id.lowercased, SpreadsheetText.guarded(line.name), "\(line.user)",
                    line.occurredAt.rfc3339, line.receivedAt.rfc3339,
                ] + properties.cells)
            bytes += writer.bytes
        }
    }

    /// - Parameter json: empty for an event without properties.
    private func packed(_ json: [UInt8]) throws -> Properties {
        guard !json.isEmpty else { return Properties(cells: Self.properties.map { _ in "" }) }
        guard let object = (try? JSONValue.parse(json))?.objectValue else { throw PackedReader.malformed }
        switch format {
        case .ndjson: return Properties(object: json)
        case .csv: return Properties(cells: Self.properties.map { object[$0].map(Self.cell) ?? "" })
        }
    }

    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        // A number cannot be a formula, and must stay one.
        case .number(let text): text
        case .string(let text): SpreadsheetText.guarded(text)
        case .bool, .array, .object: SpreadsheetText.guarded(String(decoding: value.serialized(), as: UTF8.self))
        }
    }
}

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
