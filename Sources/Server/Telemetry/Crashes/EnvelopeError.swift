/// Why a whole envelope is rejected.
package enum EnvelopeError: Error, Sendable, Hashable {
    case empty
    /// The first line is not a JSON object, or a name occurs twice.
    case invalidHeader
    /// The header of the item at this index, or of the envelope for nil, exceeds the maximum length.
    case headerTooLong(index: Int?)
    case invalidEventID
    case invalidSentAt
    case invalidDSN
    /// The header of the item at this index, counted from 0, is missing or is not a JSON object with a `type`.
    case invalidItemHeader(index: Int)
    /// `length` is not a whole number of at least 0.
    case invalidLength(index: Int)
    /// The body ends before the item does.
    case truncatedItem(index: Int)
    /// `length` bytes are not followed by a line feed.
    case missingLineFeed(index: Int)
    case tooManyItems
    case secondEvent
    /// The envelope contains both an event and a transaction.
    case eventAndTransaction

    /// One sentence that never repeats a received value.
    package var detail: String {
        switch self {
        case .empty: "The envelope is empty."
        case .invalidHeader: "The envelope's first line must be a JSON object with each name once."
        case .headerTooLong(let index):
            (index.map { "The header of item \($0)" } ?? "The envelope's first line")
                + " is longer than \(EnvelopeParser.maximumHeaderBytes) bytes."
        case .invalidEventID: "The envelope's event_id must be a UUID."
        case .invalidSentAt: "The envelope's sent_at must be an RFC 3339 date-time."
        case .invalidDSN: "The envelope's dsn cannot be read."
        case .invalidItemHeader(let index): "The header of item \(index) must be a JSON object with a type."
        case .invalidLength(let index): "The length of item \(index) must be a whole number from 0 on."
        case .truncatedItem(let index): "The envelope ends inside item \(index)."
        case .missingLineFeed(let index): "Item \(index) is longer than its length says."
        case .tooManyItems: "The envelope has more than \(EnvelopeParser.maximumItems) items."
        case .secondEvent: "An envelope may hold one event only."
        case .eventAndTransaction: "An envelope may not hold an event and a transaction."
        }
    }
}
