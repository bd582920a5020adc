import EventLog
import Foundation
import JSONWire
import SubGuardDomain
import TextCoding

/// Writes events as lines, each of which ends with a line feed.
struct EventLines: Sendable {
    private let format: EventExportFormat
    /// The properties of the current block, by the number of their set.
    private var block: Int64 = 0
    private var objects: [Int: [UInt8]] = [:]
    private var cells: [Int: [String]] = [:]

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

    /// Throws ``EventBlockError``, without the block, for properties that are not a JSON object.
    mutating func append(_ visit: EventLogWalk.Visit, name: String, user: Int64, to bytes: inout [UInt8]) throws {
        if visit.block != block {
            (block, objects, cells) = (visit.block, [:], [:])
        }
        switch format {
        case .ndjson:
            var writer = JSONWriter(capacity: 320)
            writer.beginObject()
            writer.key("block")
            writer.integer(visit.block)
            writer.key("id")
            writer.string(visit.event.id.uuid.lowercased)
            writer.key("name")
            writer.string(name)
            writer.key("user")
            writer.integer(user)
            writer.key("timestamp")
            writer.string(visit.event.occurredAt.rfc3339)
            writer.key("received_at")
            writer.string(visit.event.receivedAt.rfc3339)
            writer.key("properties")
            writer.raw(try object(of: visit))
            writer.endObject()
            bytes += writer.bytes
            bytes.append(UInt8(ascii: "\n"))
        case .csv:
            var writer = CSVWriter()
            writer.record(
                [
                    "\(visit.block)", visit.event.id.uuid.lowercased, SpreadsheetText.guarded(name), "\(user)",
                    visit.event.occurredAt.rfc3339, visit.event.receivedAt.rfc3339,
                ] + (try cells(of: visit)))
            bytes += writer.bytes
        }
    }

    private mutating func object(of visit: EventLogWalk.Visit) throws -> [UInt8] {
        guard let set = visit.event.set else { return Array("{}".utf8) }
        if let known = objects[set] { return known }
        let bytes = visit.reader.properties(ofSet: set)
        _ = try Self.parse(bytes)
        objects[set] = bytes
        return bytes
    }

    private mutating func cells(of visit: EventLogWalk.Visit) throws -> [String] {
        guard let set = visit.event.set else { return Self.properties.map { _ in "" } }
        if let known = cells[set] { return known }
        let object = try Self.parse(visit.reader.properties(ofSet: set))
        let made = Self.properties.map { object[$0].map(Self.cell) ?? "" }
        cells[set] = made
        return made
    }

    private static func parse(_ bytes: [UInt8]) throws -> JSONObject {
        guard let object = (try? JSONValue.parse(bytes))?.objectValue else { throw PackedReader.malformed }
        return object
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
