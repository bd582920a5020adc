import Cryptography
import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import TextCoding

/// A backup as JSON: everything the user entered, with the timestamps of the edits, as tables, columns and rows.
/// Derived and device-specific data is not included.
///
/// Rows refer to subscriptions by id; days and instants are strings; the last two elements of a row are its timestamps.
/// The checksum is the SHA-256 of the compact JSON of `tables`. Databases with the same content have the same tables,
/// row by row.
struct BackupDocument {
    static let format = "subguard-backup"
    /// 2 since prices and payments keep their currency, 3 since scopes and categories are two things.
    static let version: Int64 = 3

    /// The rows of each table; subscriptions in keys are the 16 bytes of their id.
    var tables: [(table: EntityTable, rows: [EntityRow])]
    /// Nil when the document does not say it.
    var madeAt: UTCInstant?

    // MARK: Writing

    /// - Parameter progress: called with the rows read and their total.
    static func read(
        _ session: any SQLSession, _ progress: @escaping (_ done: Int, _ of: Int) -> Void
    ) throws -> BackupDocument {
        let count = try EntityTables.all.reduce(0) { sum, table in
            sum + (try session.count("SELECT count(*) FROM \(table.name)"))
        }
        var steps = Steps(count, progress)
        let numbered = try session.query("SELECT num, id FROM subscriptions ORDER BY created_at, id") {
            (try $0.integer(0), SQLValue.blob(try $0.blob(1)))
        }
        // The rows of a damaged or forged file may have a number twice.
        let ids = Dictionary(numbered) { first, _ in first }
        let ranks = Dictionary(numbered.enumerated().map { ($1.0, $0) }) { first, _ in first }
        var tables: [(table: EntityTable, rows: [EntityRow])] = []
        for table in EntityTables.all {
            // Rows of one subscription follow each other.
            var runs: [(rank: Int, rows: [EntityRow])] = []
            var last: SQLValue?
            let isOfSubscriptions = table.key[0].kind == .subscription
            try session.forEach(table.selectAll, []) { row in
                steps.step()
                var row = try table.read(row)
                row.stamps.normalise(table.registers.map(\.name))
                if runs.isEmpty || isOfSubscriptions && last != row.key[0] {
                    var rank = 0
                    if isOfSubscriptions, case .integer(let number) = row.key[0] { rank = ranks[number] ?? 0 }
                    runs.append((rank, []))
                    last = row.key[0]
                }
                runs[runs.count - 1].rows.append(try row.renamed(in: table) { ids[$0] })
            }
            tables.append((table, runs.sorted { $0.rank < $1.rank }.flatMap(\.rows)))
        }
        steps.finish()
        return BackupDocument(tables: tables)
    }

    func bytes(madeAt: UTCInstant) -> [UInt8] {
        var body = JSONWriter(capacity: 1 << 16)
        body.beginArray()
        for (table, rows) in tables { Self.write(table, rows, to: &body) }
        body.endArray()
        return JSONWriter.bytes(capacity: body.bytes.count + 256) { document in
            document.field("format", Self.format)
            document.field("version", Self.version)
            document.field("made_at", madeAt.rfc3339)
            document.field("checksum", Self.checksum(body.bytes))
            document.key("tables")
            document.raw(body.bytes)
        }
    }

    static func write(_ table: EntityTable, _ rows: [EntityRow], to json: inout JSONWriter) {
        json.object { json in
            json.field("name", table.name)
            json.strings("columns", (table.key + table.columns).map(\.name))
            json.array("rows") { json in
                for row in rows {
                    json.beginArray()
                    for (column, value) in zip(table.key + table.columns, row.key + row.values) {
                        write(value, column.kind, to: &json)
                    }
                    json.string(row.stamps.base)
                    json.string(row.stamps.wire)
                    json.endArray()
                }
            }
        }
    }

    private static func write(_ value: SQLValue, _ kind: EntityTable.Kind, to json: inout JSONWriter) {
        switch (value, kind) {
        case (.null, _): json.null()
        case (.integer(let days), .day): json.string(CalendarDay(daysSinceEpoch: Int(days))?.iso ?? "")
        case (.integer(let milliseconds), .instant):
            json.string(UTCInstant(millisecondsSinceEpoch: milliseconds).rfc3339)
        case (.integer(let number), _): json.integer(number)
        case (.text(let text), _): json.string(text)
        case (.blob(let bytes), _): json.string(UUID(rawBytes: bytes)?.lowercased ?? "")
        }
    }

    static func checksum(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(of: bytes)) }

    // MARK: Reading

    /// Throws ``DeviceStoreError/damagedBackup(_:)`` or ``DeviceStoreError/tooNew(_:)``.
    init(_ bytes: [UInt8]) throws {
        guard let document = (try? JSONValue.parse(bytes))?.objectValue else {
            throw Self.damaged("not a JSON object")
        }
        guard document["format"]?.stringValue == Self.format else { throw Self.damaged("not a SubGuard backup") }
        guard let version = document["version"]?.integerValue else { throw Self.damaged("no version") }
        guard version <= Self.version else { throw DeviceStoreError.tooNew("the backup") }
        guard let list = document["tables"], let elements = list.arrayValue else {
            throw Self.damaged("no tables")
        }
        guard document["checksum"]?.stringValue == Self.checksum(list.serialized()) else {
            throw Self.damaged("wrong checksum")
        }
        var found: [String: [EntityRow]] = [:]
        for element in elements {
            guard let name = element.objectValue?["name"]?.stringValue else {
                throw Self.damaged("a table has no name")
            }
            guard let table = EntityTables.all.first(where: { $0.name == name }) else {
                throw DeviceStoreError.tooNew("the backup")
            }
            guard found[name] == nil else { throw Self.damaged("duplicate table \(name)") }
            found[name] = try Self.rows(element, of: table)
        }
        if version < 2 { try BackupVersion1.convert(&found) }
        if version < 3 { BackupVersion2.convert(&found) }
        MixedStates.convert(&found)
        tables = EntityTables.all.map { ($0, found[$0.name] ?? []) }
        madeAt = document["made_at"]?.stringValue.flatMap { UTCInstant(rfc3339: $0) }
    }

    init(tables: [(table: EntityTable, rows: [EntityRow])]) { self.tables = tables }

    static func rows(_ element: JSONValue, of table: EntityTable) throws -> [EntityRow] {
        guard let columns = element.objectValue?["columns"]?.arrayValue?.map({ $0.stringValue ?? "" }),
            let rows = element.objectValue?["rows"]?.arrayValue
        else { throw damaged("table \(table.name) has no rows") }
        let all = table.key + table.columns
        let known = Set(all.map(\.name))
        guard columns.allSatisfy(known.contains) else { throw DeviceStoreError.tooNew("the backup") }
        let places = Dictionary(columns.enumerated().map { ($1, $0) }) { first, _ in first }
        guard table.key.allSatisfy({ places[$0.name] != nil }) else { throw damaged("table \(table.name) has no key") }
        let registers = table.registers.map(\.name)
        return try rows.enumerated().map { index, row in
            guard let values = row.arrayValue, values.count == columns.count + 2,
                let base = values[columns.count].stringValue, let later = values[columns.count + 1].stringValue,
                let stamps = Stamps(base: base, wire: later, registers: registers)
            else { throw damaged("table \(table.name), row \(index + 1): malformed") }
            let read = try all.map { column -> SQLValue in
                guard let place = places[column.name] else { return column.missing }
                guard let value = value(values[place], column.kind) else {
                    throw damaged("table \(table.name), row \(index + 1), \(column.name): malformed")
                }
                return value
            }
            return EntityRow(
                key: Array(read[..<table.key.count]), values: Array(read[table.key.count...]), stamps: stamps)
        }
    }

    /// Nil for a value of another kind.
    private static func value(_ json: JSONValue, _ kind: EntityTable.Kind) -> SQLValue? {
        switch (json, kind) {
        case (.null, _): return .null
        case (.string(let text), .text): return .text(text)
        case (.string(let text), .day):
            if let day = CalendarDay(iso: text) { return .day(day) }
        case (.string(let text), .instant):
            if let instant = UTCInstant(rfc3339: text) { return .instant(instant) }
        case (.string(let text), .uuid), (.string(let text), .subscription):
            if text.utf8.count == 36, let id = UUID(uuidString: text) { return .uuid(id) }
        case (.number, .integer):
            if let number = json.integerValue { return .integer(number) }
        default: break
        }
        return nil
    }

    static func damaged(_ reason: String) -> DeviceStoreError { .damagedBackup(reason) }
}

extension EntityRow {
    /// Replaces the row number of a subscription in the key by its id, or the other way round.
    func renamed<Name>(in table: EntityTable, _ name: (Name) -> SQLValue?) throws -> EntityRow {
        guard let place = table.key.firstIndex(where: { $0.kind == .subscription }) else { return self }
        var key = key
        let old: Name? =
            switch key[place] {
            case .integer(let number): number as? Name
            case .blob(let bytes): bytes as? Name
            default: nil
            }
        guard let old, let new = name(old) else {
            throw BackupDocument.damaged("table \(table.name) refers to a missing subscription")
        }
        key[place] = new
        return EntityRow(key: key, values: values, stamps: stamps)
    }
}
