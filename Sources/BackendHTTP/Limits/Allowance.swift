/// How much one client may ask of one kind of call: a bucket of `quota` that fills again evenly within `windowSeconds`.
enum Allowance: String, Sendable, CaseIterable {
    /// Never limited: probes and metrics of the operator.
    case free
    case read
    case write
    case suggest
    /// Names within suggestions, which come up to a hundred in a request.
    case suggestedNames = "names"
    /// Crash reports, apart from analytics, so that a crash loop does not use up the allowance of those.
    case report
    /// Signing in, sessions, premium, erasure.
    case account
    case admin
    /// Failed credentials.
    case credentials

    var quota: Int {
        switch self {
        case .free: .max
        case .read: 6000
        case .write: 3000
        case .suggest: 120
        case .suggestedNames: 2000
        case .report: 600
        case .account: 120
        case .admin: 3000
        case .credentials: 30
        }
    }

    var windowSeconds: Int { self == .suggestedNames ? 3600 : 60 }
}
