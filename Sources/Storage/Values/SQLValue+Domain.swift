package import Foundation
package import SQLDatabase
package import SubGuardDomain

extension SQLValue {
    /// The 16 bytes of the id.
    package static func uuid(_ id: UUID) -> SQLValue { .blob(id.rawBytes) }

    /// The 16 bytes of the id, or NULL.
    package static func uuid(orNull id: UUID?) -> SQLValue { .blob(orNull: id?.rawBytes) }

    /// Milliseconds since the epoch.
    package static func instant(_ instant: UTCInstant) -> SQLValue { .integer(instant.millisecondsSinceEpoch) }

    /// Milliseconds since the epoch, or NULL.
    package static func instant(orNull instant: UTCInstant?) -> SQLValue {
        .integer(orNull: instant?.millisecondsSinceEpoch)
    }

    /// Days since the epoch.
    package static func day(_ day: CalendarDay) -> SQLValue { .integer(Int64(day.daysSinceEpoch)) }

    /// Days since the epoch, or NULL.
    package static func day(orNull day: CalendarDay?) -> SQLValue {
        .integer(orNull: day.map { Int64($0.daysSinceEpoch) })
    }

    /// 1 or 0.
    package static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }

    package static func count(_ count: Int) -> SQLValue { .integer(Int64(count)) }
}

extension SQLRow {
    package func uuid(_ column: Int) throws -> UUID {
        guard let id = UUID(rawBytes: try blob(column)) else { throw SQLError.malformed("id") }
        return id
    }

    package func optionalUUID(_ column: Int) throws -> UUID? { isNull(column) ? nil : try uuid(column) }

    /// Reads a UUID from two columns with its halves.
    package func halvedUUID(_ column: Int) throws -> UUID {
        UUID(high: UInt64(bitPattern: try integer(column)), low: UInt64(bitPattern: try integer(column + 1)))
    }

    package func instant(_ column: Int) throws -> UTCInstant {
        UTCInstant(millisecondsSinceEpoch: try integer(column))
    }

    package func optionalInstant(_ column: Int) throws -> UTCInstant? { isNull(column) ? nil : try instant(column) }

    package func day(_ column: Int) throws -> CalendarDay {
        guard let day = CalendarDay(daysSinceEpoch: Int(try integer(column))) else { throw SQLError.malformed("day") }
        return day
    }

    /// A currency by its code.
    package func currency(_ column: Int) throws -> Currency {
        guard let currency = Currency(code: try text(column)) else { throw SQLError.malformed("currency") }
        return currency
    }

    /// Minor units, and the code of their currency.
    package func money(_ column: Int, in currencyColumn: Int) throws -> Money {
        Money(minorUnits: try integer(column), currency: try currency(currencyColumn))
    }

    /// A word of an enumeration.
    package func word<Value: RawRepresentable<String>>(_ column: Int) throws -> Value {
        guard let value = Value(rawValue: try text(column)) else { throw SQLError.malformed("\(Value.self)") }
        return value
    }

    package func optionalDay(_ column: Int) throws -> CalendarDay? { isNull(column) ? nil : try day(column) }
}

extension SQLSession {
    /// A number that a query gives, such as a count; 0 without a row.
    package func count(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int {
        try first(sql, arguments) { Int(try $0.integer(0)) } ?? 0
    }
}

extension SQLError {
    /// A stored value that this program cannot have written. `what` is a fixed word, never the value.
    package static func malformed(_ what: String) -> SQLError {
        SQLError(code: .unexpectedType, number: 0, context: "malformed \(what)")
    }
}
