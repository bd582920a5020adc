import BackendTestKit
import EventLog
import JSONWire
import SubGuardDomain
import Telemetry
import Testing

extension BackendFixture {
    /// The pieces of an export, with what happens before each of them.
    func pieces(
        _ selection: EventExportSelection = EventExportSelection(), archive: (any EventArchive)? = nil,
        before: (_ piece: Int) throws -> Void = { _ in }
    ) throws -> [[UInt8]] {
        var export = try EventExport(selection, archive: archive, context: context)
        var pieces: [[UInt8]] = []
        try before(0)
        while let piece = try export.nextPiece() {
            pieces.append(piece)
            try before(pieces.count)
        }
        return pieces
    }

    /// The lines of an export as JSON lines, without their ends.
    func exported(
        _ selection: EventExportSelection = EventExportSelection(), archive: (any EventArchive)? = nil,
        before: (_ piece: Int) throws -> Void = { _ in }
    ) throws -> [ExportedEvent] {
        let bytes = try pieces(selection, archive: archive, before: before).flatMap { $0 }
        #expect(bytes.isEmpty || bytes.last == UInt8(ascii: "\n"))
        return try bytes.split(separator: UInt8(ascii: "\n")).map { try ExportedEvent(Array($0)) }
    }
}

/// A line of an export.
struct ExportedEvent {
    let json: JSONObject
    let position: EventPosition

    init(_ line: [UInt8]) throws {
        json = try #require(try JSONValue.parse(line).objectValue)
        let (block, id) = (json["block"]?.integerValue ?? 0, json["id"]?.stringValue ?? "")
        position = try #require(EventPosition(text: "\(block),\(id)"))
    }

    var id: String { json["id"]?.stringValue ?? "" }
    var name: String { json["name"]?.stringValue ?? "" }
    var user: Int64 { json["user"]?.integerValue ?? -1 }
    var timestamp: String { json["timestamp"]?.stringValue ?? "" }
    var receivedAt: String { json["received_at"]?.stringValue ?? "" }
    var properties: JSONObject { json["properties"]?.objectValue ?? [:] }
}

extension Array where Element == ExportedEvent {
    var ids: [String] { map(\.id) }
}
