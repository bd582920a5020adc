/// How much of one kind of call a client may use: a token bucket of `quota` that refills evenly within `windowSeconds`.
package enum Allowance: String, Sendable, CaseIterable {
    /// Never limited: probes and metrics of the operator.
    case free
    case read
    case write
    case suggest
    /// Names in suggestions, up to a hundred per request.
    case suggestedNames = "names"
    /// Crash reports. Separate from analytics, so that a crash loop does not use up their allowance.
    case report
    /// Crashes, sessions and session counts within reports.
    case reportedItems = "report_items"
    /// New crash groups in a client's reports.
    case newCrashGroups = "crash_groups"
    /// New releases in its reports and sessions.
    case newReleases = "releases"
    /// Sessions for the crash-free rate; an aggregate counts as all its sessions.
    case sessions
    /// Signing in, sessions, premium, erasure.
    case account
    /// Requests to erase a device's analytics; each takes a row until it is carried out.
    case erasure
    case admin
    /// Suggestions, crash groups and releases in bulk calls; each takes a row in the audit log.
    case decisions
    /// Failed credentials.
    case credentials
    /// Accepted events, in units of 128 bytes on disk; see ``IngestAdmission``.
    case events
    /// Events dated ahead of the server's clock; each takes a row until its moment has come, and those of one moment
    /// come together.
    case eventsAhead = "events_ahead"
    /// Users seen for the first time.
    case newUsers = "new_users"
    /// The same in signed batches. Both share the total of ``newUsers``.
    case signedUsers = "signed_users"
    /// Decompressed size of compressed bodies, in bytes.
    case inflatedBytes = "inflated_bytes"
    /// Rendered catalogue responses, in bytes: those for addresses not requested since the last change.
    case renderedBytes = "rendered_bytes"

    /// The default for one client.
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
        case .eventsAhead: 2000
        case .newUsers: 20_000
        case .signedUsers: 200_000
        case .inflatedBytes, .renderedBytes: 64 << 20
        }
    }

    /// The default for all clients together; nil for allowances without a total.
    var quotaInAll: Int? {
        switch self {
        case .suggestedNames: 50_000
        case .reportedItems: 150_000
        case .erasure: 20_000
        case .decisions: 120_000
        case .events: 75_000
        case .eventsAhead: 20_000
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
            .eventsAhead, .newUsers, .signedUsers:
            3600
        case .free, .read, .write, .suggest, .report, .account, .admin, .credentials, .events, .inflatedBytes,
            .renderedBytes:
            60
        }
    }

    /// The allowance whose total it shares.
    var total: Allowance { self == .signedUsers ? .newUsers : self }

    /// The name of the counted unit in messages.
    var noun: String {
        switch self {
        case .suggestedNames: "suggested names"
        case .reportedItems: "crashes and sessions"
        case .events: "units of events"
        case .eventsAhead: "events dated ahead"
        case .newUsers, .signedUsers: "new users"
        case .inflatedBytes: "bytes of decompressed bodies"
        case .renderedBytes: "bytes of rendered catalogue responses"
        case .newCrashGroups: "new crash groups"
        case .newReleases: "new releases"
        case .sessions: "sessions"
        case .decisions: "decisions of bulk calls"
        case .free, .read, .write, .suggest, .report, .account, .erasure, .admin, .credentials: "requests of this kind"
        }
    }
}

/// The quotas from the settings, and those that tests lower; all other quotas are constants of ``Allowance``.
package struct RateQuotas: Sendable {
    var events = Allowance.events.quota
    var eventsInAll = Allowance.events.quotaInAll ?? .max
    var newUsers = Allowance.newUsers.quota
    var newUsersInAll = Allowance.newUsers.quotaInAll ?? .max
    package var inflatedBytes = Allowance.inflatedBytes.quota
    package var renderedBytes = Allowance.renderedBytes.quota

    /// Signed batches may report this many times as many new users as unsigned ones.
    static let signedUsersFactor = 10

    /// The quota of one client.
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

    /// The quota of all clients together; nil for allowances without a total.
    func quotaInAll(of allowance: Allowance) -> Int? {
        switch allowance {
        case .events: eventsInAll
        case .newUsers, .signedUsers: newUsersInAll
        default: allowance.quotaInAll
        }
    }
}
