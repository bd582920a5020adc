/// How much one client may ask of one kind of call: a bucket of `quota` that fills again evenly within `windowSeconds`.
enum Allowance: String, Sendable, CaseIterable {
    /// Never limited: probes and metrics of the operator.
    case free
    case read
    case write
    case suggest
    case admin
    /// Failed credentials.
    case credentials

    var quota: Int {
        switch self {
        case .free: .max
        case .read: 6000
        case .write: 3000
        case .suggest: 120
        case .admin: 3000
        case .credentials: 30
        }
    }

    var windowSeconds: Int { 60 }
}
