import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads the values of a row in order.
struct ValueReader {
    private var values: ArraySlice<SQLValue>

    init(_ values: [SQLValue]) { self.values = values[...] }

    mutating func next() throws -> SQLValue {
        guard let value = values.popFirst() else { throw SQLError.malformed("row") }
        return value
    }

    mutating func integer() throws -> Int64 {
        guard case .integer(let value) = try next() else { throw SQLError.malformed("integer") }
        return value
    }

    mutating func optionalInteger() throws -> Int64? {
        switch try next() {
        case .null: nil
        case .integer(let value): value
        default: throw SQLError.malformed("integer")
        }
    }

    mutating func text() throws -> String {
        guard case .text(let value) = try next() else { throw SQLError.malformed("text") }
        return value
    }

    mutating func optionalText() throws -> String? {
        switch try next() {
        case .null: nil
        case .text(let text): text
        default: throw SQLError.malformed("text")
        }
    }

    mutating func flag() throws -> Bool { try integer() != 0 }
    mutating func count() throws -> Int { Int(try integer()) }
    mutating func instant() throws -> UTCInstant { UTCInstant(millisecondsSinceEpoch: try integer()) }

    mutating func day() throws -> CalendarDay {
        guard let day = CalendarDay(daysSinceEpoch: Int(try integer())) else { throw SQLError.malformed("day") }
        return day
    }

    mutating func optionalDay() throws -> CalendarDay? {
        guard let days = try optionalInteger() else { return nil }
        guard let day = CalendarDay(daysSinceEpoch: Int(days)) else { throw SQLError.malformed("day") }
        return day
    }

    mutating func uuid() throws -> UUID {
        guard let id = try optionalUUID() else { throw SQLError.malformed("id") }
        return id
    }

    mutating func optionalUUID() throws -> UUID? {
        switch try next() {
        case .null: return nil
        case .blob(let bytes):
            guard let id = UUID(rawBytes: bytes) else { throw SQLError.malformed("id") }
            return id
        default: throw SQLError.malformed("id")
        }
    }

    mutating func money() throws -> Money {
        let minorUnits = try integer()
        guard let currency = Currency(code: try text()) else { throw SQLError.malformed("currency") }
        return Money(minorUnits: minorUnits, currency: currency)
    }
}
