package import TextCoding

/// Why a value is rejected. The raw value is the stable code in `errors[].code` of a problem and in the output of the
/// client. Each kind of fault has the same code everywhere.
public enum FaultCode: String, Sendable, Hashable, CaseIterable {
    /// The value is missing, or is empty or null where that is not allowed.
    case required
    /// The input must not have this member or column.
    case unknownField = "unknown_field"
    /// The call has no such query parameter.
    case unknownParameter = "unknown_parameter"
    /// The value has another JSON type than the field; in CSV, it is not a number where one is required.
    case invalidType = "invalid_type"
    /// A number, a length or a count is outside of its bounds.
    case outOfRange = "out_of_range"
    /// The text does not have the format of the field.
    case invalidFormat = "invalid_format"
    /// The value is not one of the allowed words.
    case unknownValue = "unknown_value"
    /// The value occurs twice.
    case duplicate

    // Values of one kind.
    /// Not a UUID.
    case invalidID = "invalid_id"
    /// Not an RFC 3339 instant.
    case invalidTimestamp = "invalid_timestamp"
    /// An instant that is too far ahead of or behind the server's clock.
    case timestampOutOfRange = "timestamp_out_of_range"
    /// Not a calendar day as `YYYY-MM-DD`.
    case invalidDay = "invalid_day"
    /// Not a link that may be opened.
    case invalidURL = "invalid_url"
    /// Not a decimal number such as `13.49`.
    case invalidAmount = "invalid_amount"
    /// An amount with more decimals than its currency has.
    case tooManyDecimals = "too_many_decimals"
    /// Not the code of an ISO 4217 currency.
    case unknownCurrency = "unknown_currency"
    /// Not a billing cycle.
    case unknownCycle = "unknown_cycle"
    /// Not the hash of a user id.
    case invalidUserID = "invalid_user_id"
    /// Not a cursor that the list returned for the same parameters.
    case invalidCursor = "invalid_cursor"

    // Texts.
    /// A control character or another forbidden character.
    case invalidCharacters = "invalid_characters"
    /// The text has no visible character.
    case blank
    /// A character without a glyph.
    case invisibleCharacters = "invisible_characters"
    /// Too many combining marks on one letter, or flags in a row.
    case tooManyMarks = "too_many_marks"

    // Files.
    /// The file is not UTF-8.
    case invalidUTF8 = "invalid_utf8"
    /// A quoted field of a CSV file does not end.
    case unterminatedQuote = "unterminated_quote"
    /// A quotation mark occurs inside an unquoted field of a CSV file.
    case misplacedQuote = "misplaced_quote"
    /// The row of a CSV file does not have as many fields as the header.
    case wrongFieldCount = "wrong_field_count"

    // Conflicts with other data.
    /// What the value refers to does not exist.
    case notFound = "not_found"
    /// The value refers to the object that it belongs to.
    case sameItem = "same_item"
    /// Another item has, or had, the id.
    case idTaken = "id_taken"
    /// The item would exceed the maximum number of aliases.
    case tooManyAliases = "too_many_aliases"
    /// The caller does not hold the permission to be granted.
    case notHeld = "not_held"
    /// The instant is not in the future.
    case notInFuture = "not_in_future"
    /// A built-in role cannot be changed.
    case builtIn = "built_in"
    /// Other data must be changed first. Used by the client only.
    case conflict
    /// The feature requires premium. Used by the client only.
    case premiumRequired = "premium_required"
}

extension Sentence {
    /// Why a file is no CSV that can be read.
    package init(_ kind: CSVReader.Failure.Kind) {
        self =
            kind == .longRun ? "Too many combining marks on a letter, or flags in a row." : "Not valid CSV."
    }
}

extension FaultCode {
    /// The codes that only the client uses.
    package static let ofTheClient: Set<FaultCode> = [.conflict, .premiumRequired]

    /// The code of a syntax error in a CSV file.
    package init(_ kind: CSVReader.Failure.Kind) {
        self =
            switch kind {
            case .invalidUTF8: .invalidUTF8
            case .unterminatedQuote: .unterminatedQuote
            case .misplacedQuote: .misplacedQuote
            case .longRun: .tooManyMarks
            }
    }
}
