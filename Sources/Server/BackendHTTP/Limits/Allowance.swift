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
    /// Crashes, sessions and session counts within reports.
    case reportedItems = "report_items"
    /// Crash groups that a client's reports make.
    case newCrashGroups = "crash_groups"
    /// Releases that its reports and sessions make.
    case newReleases = "releases"
    /// Sessions for the crash-free rate; a count of many takes as many.
    case sessions
    /// Signing in, sessions, premium, erasure.
    case account
    /// Requests to erase a device's analytics, each of which keeps a row until it is carried out.
    case erasure
    case admin
    /// Suggestions, crash groups and releases that bulk calls name: each keeps a row of the audit log.
    case decisions
    /// Failed credentials.
    case credentials
    /// Accepted events, in units of 128 bytes on disk; see ``IngestAdmission``.
    case events
    /// Users that no event named before.
    case newUsers = "new_users"
    /// The same for batches that an app has signed. They share the total with ``newUsers``.
    case signedUsers = "signed_users"
    /// Bytes that compressed bodies have without their coding.
    case inflatedBytes = "inflated_bytes"
    /// Bytes of catalogue answers that had to be made, because no request had the same address since the last change.
    case renderedBytes = "rendered_bytes"

    /// The default, of one client.
    var quota: Int {
        switch self {
        case .free: .max
        case .read: 6000
        case .write: 3000
        case .suggest: 120
        case .suggestedNames: 2000
        case .report: 600
        case .reportedItems: 10_000
        case .newCrashGroups: 30
        case .newReleases: 20
        case .sessions: 100_000
        case .account: 120
        case .erasure: 600
        case .admin: 3000
        case .decisions: 60_000
        case .credentials: 30
        case .events: 60_000
        case .newUsers: 20_000
        case .signedUsers: 200_000
        case .inflatedBytes, .renderedBytes: 64 << 20
        }
    }

    /// The default of all clients together; nil for what is only counted by client.
    var quotaInAll: Int? {
        switch self {
        case .suggestedNames: 50_000
        case .reportedItems: 150_000
        case .erasure: 20_000
        case .decisions: 120_000
        case .events: 75_000
        case .newUsers, .signedUsers: 150_000
        case .inflatedBytes: 512 << 20
        case .renderedBytes: 256 << 20
        case .free, .read, .write, .suggest, .report, .newCrashGroups, .newReleases, .sessions, .account, .admin,
            .credentials:
            nil
        }
    }

    var windowSeconds: Int {
        switch self {
        case .suggestedNames, .reportedItems, .newCrashGroups, .newReleases, .sessions, .erasure, .decisions,
            .newUsers, .signedUsers:
            3600
        case .free, .read, .write, .suggest, .report, .account, .admin, .credentials, .events, .inflatedBytes,
            .renderedBytes:
            60
        }
    }

    /// Whose total this allowance draws from.
    var total: Allowance { self == .signedUsers ? .newUsers : self }

    /// What is counted, for people.
    var noun: String {
        switch self {
        case .suggestedNames: "suggested names"
        case .reportedItems: "crashes and sessions"
        case .events: "units of events"
        case .newUsers, .signedUsers: "new users"
        case .inflatedBytes: "bytes of decompressed bodies"
        case .renderedBytes: "bytes of answers made for one address"
        case .newCrashGroups: "new crash groups"
        case .newReleases: "new releases"
        case .sessions: "sessions"
        case .decisions: "decisions of bulk calls"
        case .free, .read, .write, .suggest, .report, .account, .erasure, .admin, .credentials: "requests of this kind"
        }
    }
}

/// The quotas that an operator may set; the others are those of ``Allowance``.
struct RateQuotas: Sendable {
    var events = Allowance.events.quota
    var eventsInAll = Allowance.events.quotaInAll ?? .max
    var newUsers = Allowance.newUsers.quota
    var newUsersInAll = Allowance.newUsers.quotaInAll ?? .max
    var inflatedBytes = Allowance.inflatedBytes.quota
    var inflatedBytesInAll = Allowance.inflatedBytes.quotaInAll ?? .max
    var renderedBytes = Allowance.renderedBytes.quota
    var renderedBytesInAll = Allowance.renderedBytes.quotaInAll ?? .max

    /// Signed batches may bring so many times the new users of others.
    static let signedUsersFactor = 10

    /// Of one client.
    func quota(of allowance: Allowance) -> Int {
        switch allowance {
        case .events: events
        case .newUsers: newUsers
        case .signedUsers: newUsers * Self.signedUsersFactor
        case .inflatedBytes: inflatedBytes
        case .renderedBytes: renderedBytes
        default: allowance.quota
        }
    }

    /// Of all clients; nil for what is only counted by client.
    func quotaInAll(of allowance: Allowance) -> Int? {
        switch allowance {
        case .events: eventsInAll
        case .newUsers, .signedUsers: newUsersInAll
        case .inflatedBytes: inflatedBytesInAll
        case .renderedBytes: renderedBytesInAll
        default: allowance.quotaInAll
        }
    }
}
