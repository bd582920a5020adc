import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import TextCoding

/// A row as the journal keeps it: subscriptions are named by id, because row numbers are given anew.
struct JournalImage: Sendable {
    /// The row number of a subscription, which decides its place in lists.
    var number: Int64?
    var row: EntityRow
}

/// One row that a change wrote: before and after it; nil where there was none.
struct JournalChange: Sendable {
    let table: EntityTable
    var before: JournalImage?
    var after: JournalImage?

    var key: [SQLValue] { before?.row.key ?? after?.row.key ?? [] }

    /// The subscription that the row is, or belongs to.
    var subscription: UUID? {
        guard table.isOfSubscription, case .blob(let bytes)? = key.first else { return nil }
        return UUID(rawBytes: bytes)
    }

    /// Whether the values differ. A newer timestamp alone is nothing to take back.
    var isReal: Bool {
        guard let before, let after else { return before != nil || after != nil }
        return before.row.values != after.row.values
    }
}

extension EntityTable {
    /// Whether its rows are subscriptions, or belong to one.
    var isOfSubscription: Bool { name == EntityTables.subscriptions.name || key[0].kind == .subscription }

    /// SQL for the JSON of a row; `row` is `OLD` or `NEW` of a trigger.
    func imageSQL(_ row: String, keyOnly: Bool) -> String {
        var members = name == EntityTables.subscriptions.name ? ["'num', \(row).num"] : []
        for column in keyOnly ? key : key + columns {
            let value = column.kind == .uuid ? "nullif(hex(\(row).\(column.name)), '')" : column.reading("\(row).")
            members.append("'\(column.name)', \(value)")
        }
        if !keyOnly { members += ["'stamp', \(row).stamp", "'stamps', \(row).stamps"] }
        return "json_object(\(members.joined(separator: ", ")))"
    }

    func wire(_ image: JournalImage) -> String {
        JSONWriter.text { json in
            if let number = image.number {
                json.key("num")
                json.integer(number)
            }
            for (column, value) in zip(key + columns, image.row.key + image.row.values) {
                json.key(column.name)
                switch value {
                case .null: json.null()
                case .integer(let number): json.integer(number)
                case .text(let text): json.string(text)
                case .blob(let bytes): json.string(Hexadecimal.text(bytes))
                }
            }
            json.field("stamp", image.row.stamps.base)
            json.field("stamps", image.row.stamps.wire)
        }
    }

    /// - Parameter keyOnly: whether the JSON holds no more than the key.
    func image(_ wire: String, keyOnly: Bool = false) throws -> JournalImage {
        guard let object = (try? JSONValue.parse(Array(wire.utf8)))?.objectValue else {
            throw SQLError.malformed("journal")
        }
        let number = object["num"]?.integerValue
        let key = try key.map { try Self.value(object[$0.name], $0) }
        // A column that is younger than the entry keeps its value.
        let values = keyOnly ? [] : try columns.map { try Self.value(object[$0.name], $0) }
        let stamps = Stamps(base: object["stamp"]?.stringValue ?? "", wire: object["stamps"]?.stringValue ?? "")
        return JournalImage(number: number, row: EntityRow(key: key, values: values, stamps: stamps))
    }

    private static func value(_ json: JSONValue?, _ column: Column) throws -> SQLValue {
        switch json {
        case nil: return column.missing
        case .null: return .null
        case .string(let text):
            let isBlob = column.kind == .uuid || column.kind == .subscription
            guard isBlob else { return .text(text) }
            // SQLite writes upper-case digits.
            if let bytes = Hexadecimal.bytes(text.lowercased()) { return .blob(bytes) }
        case let json?:
            if let number = json.integerValue { return .integer(number) }
        }
        throw SQLError.malformed("journal")
    }
}

extension EntityTables {
    static func named(_ name: String) -> EntityTable? { all.first { $0.name == name } }
}
