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

    /// Nil for NULL.
    private mutating func optional<Value>(_ read: (inout ValueReader) throws -> Value) throws -> Value? {
        guard case .null? = values.first else { return try read(&self) }
        values.removeFirst()
        return nil
    }

    mutating func integer() throws -> Int64 {
        guard case .integer(let value) = try next() else { throw SQLError.malformed("integer") }
        return value
    }

    mutating func text() throws -> String {
        guard case .text(let value) = try next() else { throw SQLError.malformed("text") }
        return value
    }

    mutating func flag() throws -> Bool { try integer() != 0 }
    mutating func count() throws -> Int { Int(try integer()) }
    mutating func instant() throws -> UTCInstant { UTCInstant(millisecondsSinceEpoch: try integer()) }

    mutating func day() throws -> CalendarDay {
        guard let day = CalendarDay(daysSinceEpoch: Int(try integer())) else { throw SQLError.malformed("day") }
        return day
    }

    mutating func uuid() throws -> UUID {
        guard case .blob(let bytes) = try next(), let id = UUID(rawBytes: bytes) else { throw SQLError.malformed("id") }
        return id
    }

    mutating func optionalInteger() throws -> Int64? { try optional { try $0.integer() } }
    mutating func optionalText() throws -> String? { try optional { try $0.text() } }
    mutating func optionalDay() throws -> CalendarDay? { try optional { try $0.day() } }
    mutating func optionalUUID() throws -> UUID? { try optional { try $0.uuid() } }

    mutating func money() throws -> Money {
        let minorUnits = try integer()
        guard let currency = Currency(code: try text()) else { throw SQLError.malformed("currency") }
        return Money(minorUnits: minorUnits, currency: currency)
    }
}
