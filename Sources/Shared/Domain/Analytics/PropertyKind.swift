import Foundation

/// What values a property takes. None of them leaves room for an amount, a name or a note.
public enum PropertyKind: Sendable, Hashable {
    /// One printable ASCII character or more, at most `maximumBytes`.
    case shortText(maximumBytes: Int)
    /// A language tag in the manner of BCP 47, with `-` or `_` between its parts: `fr`, `fr_CH`, `zh-Hans-CN`.
    case locale
    /// A UUID with hyphens, in either case.
    case uuid
    /// A whole number within the range.
    case integer(ClosedRange<Int64>)

    /// Whether a JSON string of this content is a value of the property.
    public func accepts(text: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .shortText(let maximumBytes):
            (1...maximumBytes).contains(text.count) && text.allSatisfy { (0x20...0x7E).contains($0) }
        case .locale: LanguageTag.isValid(text)
        case .uuid: UUID(strictBytes: text) != nil
        case .integer: false
        }
    }

    /// Whether a JSON string of this content is a value of the property.
    public func accepts(text: String) -> Bool {
        var text = text
        return text.withUTF8 { accepts(text: UnsafeRawBufferPointer($0)) }
    }

    /// Whether a JSON number of this value is a value of the property.
    public func accepts(integer: Int64) -> Bool {
        if case .integer(let range) = self { range.contains(integer) } else { false }
    }
}
