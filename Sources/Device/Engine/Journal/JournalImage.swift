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

// Rows that say that something was taken back. A deleted row would return from another device at the next merge; these
// are newer than the row there.

extension EntityTable {
    /// The values of a row of ``EntityTables/personPhotos`` whose photo was removed.
    static let noPhoto: [SQLValue] = [.text(""), .integer(0), .text("")]

    /// Whether a row with these values was taken back and marked so.
    func isRemoved(_ values: [SQLValue]) -> Bool { removalPlace.map { values[$0] != .integer(0) } ?? false }

    /// Whether a row with these values says nothing, or no more than that something was taken back.
    func isAbsence(_ values: [SQLValue]) -> Bool {
        switch name {
        case EntityTables.ledger.name:
            [.count(OccurrenceFate.open.rawValue), .count(OccurrenceFate.skipped.rawValue)].contains(values[0])
                && values[1] == .null && values[2] == .null
        case EntityTables.shares.name: values[1] == .text("")
        case EntityTables.personPhotos.name: values == Self.noPhoto
        case EntityTables.groupMembers.name, EntityTables.withdrawals.name, EntityTables.additions.name:
            values[0] == .integer(0)
        default: isRemoved(values)
        }
    }

    /// The values of a row that is taken back; nil for a table whose rows are deleted.
    ///
    /// - Parameter key: with the row number of the subscription.
    func absence(_ values: [SQLValue], _ key: [SQLValue], in session: any SQLSession) throws -> [SQLValue]? {
        var values = values
        if let removalPlace {
            values[removalPlace] = .integer(1)
            return values
        }
        switch name {
        case EntityTables.ledger.name:
            // Before the day of entry, nothing is charged that was not entered.
            let sql = "SELECT 1 FROM subscriptions WHERE num = ? AND tracked_from <= ?"
            let isTracked = try session.first(sql, key) { _ in true } ?? false
            return [.count((isTracked ? OccurrenceFate.open : .skipped).rawValue), .null, .null, .null]
        case EntityTables.shares.name: values[1] = .text("")
        case EntityTables.personPhotos.name: return Self.noPhoto
        case EntityTables.groupMembers.name, EntityTables.withdrawals.name, EntityTables.additions.name:
            values[0] = .integer(0)
        default: return nil
        }
        return values
    }
}
