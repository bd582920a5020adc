/// Why a value is refused. The raw value is what programs branch on: it stands in `errors[].code` of a problem and in the
/// output of the client, and never changes its meaning. One fault has one code wherever it is found.
public enum FaultCode: String, Sendable, Hashable, CaseIterable {
    /// The value is missing, or null where it must not be.
    case required
    /// The member is none of those that the object may have.
    case unknownField = "unknown_field"
    /// The query parameter is none of those that the call takes.
    case unknownParameter = "unknown_parameter"
    /// The value has another JSON type than the field.
    case invalidType = "invalid_type"
    /// A number, a length or a count is outside of its bounds.
    case outOfRange = "out_of_range"
    /// The text does not have the form that the field asks for.
    case invalidFormat = "invalid_format"
    /// The value is there twice.
    case duplicate
    /// Not a UUID.
    case invalidID = "invalid_id"
    /// Not an RFC 3339 instant.
    case invalidTimestamp = "invalid_timestamp"
    /// Not a calendar day as `YYYY-MM-DD`.
    case invalidDay = "invalid_day"
    /// Not a cursor that the list returned for the same parameters.
    case invalidCursor = "invalid_cursor"
    /// None of the words that the value may be.
    case unknownValue = "unknown_value"
}
