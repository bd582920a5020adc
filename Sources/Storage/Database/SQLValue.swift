/// A value bound to a statement or read from a row, in the types that both dialects have.
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
