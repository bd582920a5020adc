package import TextCoding

/// Why a value is refused. The raw value is what programs branch on: it stands in `errors[].code` of a problem and in the
/// output of the client, and never changes its meaning. One fault has one code wherever it is found.
public enum FaultCode: String, Sendable, Hashable, CaseIterable {
    /// The value is missing, empty where it must not be, or null where it must not be.
    case required
    /// The member or column is none of those that the input may have.
    case unknownField = "unknown_field"
    /// The query parameter is none of those that the call takes.
    case unknownParameter = "unknown_parameter"
    /// The value has another JSON type than the field; in CSV, it is not a number where one belongs.
    case invalidType = "invalid_type"
    /// A number, a length or a count is outside of its bounds.
    case outOfRange = "out_of_range"
    /// The text does not have the form that the field asks for.
    case invalidFormat = "invalid_format"
    /// The value is none of the words that the field takes.
    case unknownValue = "unknown_value"
    /// The value is there twice.
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
    /// A control character or another one that the text must not have.
    case invalidCharacters = "invalid_characters"
    /// Nothing of the text can be seen.
    case blank
    /// A character that is drawn as nothing.
    case invisibleCharacters = "invisible_characters"
    /// Too many combining marks on one letter.
    case tooManyMarks = "too_many_marks"

    // Files.
    /// The file is not UTF-8.
    case invalidUTF8 = "invalid_utf8"
    /// A quoted field of a CSV file does not end.
    case unterminatedQuote = "unterminated_quote"
    /// A quotation mark of a CSV file stands inside of a field.
    case misplacedQuote = "misplaced_quote"
    /// The row of a CSV file does not have as many fields as the header.
    case wrongFieldCount = "wrong_field_count"

    // At odds with something else.
    /// What the value refers to does not exist.
    case notFound = "not_found"
    /// The value refers to the very thing that it belongs to.
    case sameItem = "same_item"
    /// Another item has, or had, the id.
    case idTaken = "id_taken"
    /// The item would have more aliases than it may.
    case tooManyAliases = "too_many_aliases"
    /// The caller does not hold what they want to give.
    case notHeld = "not_held"
    /// The instant is not in the future.
    case notInFuture = "not_in_future"
    /// A built-in role cannot be changed.
    case builtIn = "built_in"
    /// Only premium has this. Only the client uses it.
    case premiumRequired = "premium_required"
}

extension FaultCode {
    /// The codes that only the client reports, about its own data.
    package static let ofTheClient: Set<FaultCode> = [.premiumRequired]

    /// The code of a fault in the form of a CSV file.
    package init(_ kind: CSVReader.Failure.Kind) {
        self =
            switch kind {
            case .invalidUTF8: .invalidUTF8
            case .unterminatedQuote: .unterminatedQuote
            case .misplacedQuote: .misplacedQuote
            }
    }
}
