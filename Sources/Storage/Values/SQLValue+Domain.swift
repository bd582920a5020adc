import Foundation
import SQLDatabase
import SubGuardDomain

extension SQLValue {
    /// The 16 bytes of the id.
    static func uuid(_ id: UUID) -> SQLValue { .blob(id.rawBytes) }

    /// The 16 bytes of the id, or NULL.
    static func uuid(orNull id: UUID?) -> SQLValue { .blob(orNull: id?.rawBytes) }

    /// Milliseconds since the epoch.
    static func instant(_ instant: UTCInstant) -> SQLValue { .integer(instant.millisecondsSinceEpoch) }

    /// Milliseconds since the epoch, or NULL.
    static func instant(orNull instant: UTCInstant?) -> SQLValue { .integer(orNull: instant?.millisecondsSinceEpoch) }
}

extension SQLRow {
    func uuid(_ column: Int) throws -> UUID {
        guard let id = UUID(rawBytes: try blob(column)) else { throw SQLError.malformedColumn("id") }
        return id
    }

    func optionalUUID(_ column: Int) throws -> UUID? { isNull(column) ? nil : try uuid(column) }

    func instant(_ column: Int) throws -> UTCInstant { UTCInstant(millisecondsSinceEpoch: try integer(column)) }

    func optionalInstant(_ column: Int) throws -> UTCInstant? { isNull(column) ? nil : try instant(column) }
}

extension SQLError {
    /// A stored value that this program cannot have written. `what` is a fixed word, never the value.
    static func malformedColumn(_ what: String) -> SQLError {
        SQLError(code: .unexpectedType, number: 0, context: "malformed \(what)")
    }
}
