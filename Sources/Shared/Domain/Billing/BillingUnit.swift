/// The unit of a billing interval; the raw value is its letter on the wire.
public enum BillingUnit: String, Sendable, Hashable, CaseIterable {
    case days = "d"
    case weeks = "w"
    case months = "m"
    case years = "y"
}
