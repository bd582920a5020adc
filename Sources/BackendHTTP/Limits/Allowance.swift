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
    /// Crash groups that a client's reports make.
    case newCrashGroups = "crash_groups"
    /// Releases that its reports and sessions make.
    case newReleases = "releases"
    /// Sessions for the crash-free rate; a count of many takes as many.
    case sessions
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
        case .newCrashGroups: 30
        case .newReleases: 20
        case .sessions: 100_000
        case .account: 120
        case .admin: 3000
        case .credentials: 30
        }
    }

    var windowSeconds: Int {
        switch self {
        case .suggestedNames, .newCrashGroups, .newReleases, .sessions: 3600
        default: 60
        }
    }
}
