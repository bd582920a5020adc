/// One row of a result. Columns are counted from 0. A row is valid only inside the closure that receives it.
package protocol SQLRow {
    /// Throws ``SQLError/Code/unexpectedType`` if the column is not an integer.
    func integer(_ column: Int) throws -> Int64
    /// Throws ``SQLError/Code/unexpectedType`` if the column is not text.
    func text(_ column: Int) throws -> String
    /// Throws ``SQLError/Code/unexpectedType`` if the column is not a blob.
    func blob(_ column: Int) throws -> [UInt8]
    func isNull(_ column: Int) -> Bool
}

extension SQLRow {
    /// `nil` for NULL.
    package func optionalInteger(_ column: Int) throws -> Int64? { isNull(column) ? nil : try integer(column) }

    /// `nil` for NULL.
    package func optionalText(_ column: Int) throws -> String? { isNull(column) ? nil : try text(column) }

    /// `nil` for NULL.
    package func optionalBlob(_ column: Int) throws -> [UInt8]? { isNull(column) ? nil : try blob(column) }
}

/// A value bound to a statement or read from a row, in the types common to both dialects.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// `null` for `nil`, so that optional columns bind without a branch at the call.
    package static func text(orNull value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }

    /// `null` for `nil`.
    package static func integer(orNull value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }

    /// `null` for `nil`.
    package static func blob(orNull value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null }
}
