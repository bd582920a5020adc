/// Why a text is not an amount.
public enum MoneyError: Error, Sendable, Hashable {
    case malformed
    case tooManyDecimals(allowed: Int)
    /// More minor units than 64 bits hold.
    case outOfRange

    /// A stable word for the wire.
    public var code: FaultCode {
        switch self {
        case .malformed: .invalidAmount
        case .tooManyDecimals: .tooManyDecimals
        case .outOfRange: .outOfRange
        }
    }

    public var detail: String {
        switch self {
        case .malformed: "Must be a decimal number such as \"13.49\"."
        case .tooManyDecimals(let allowed): "The currency has \(allowed) decimals, this amount has more."
        case .outOfRange: "The amount is too large."
        }
    }
}
