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

    private struct Terms {
        let quota: Int
        var inAll: Int?
        var seconds = 60
        var noun = "requests of this kind"
    }

    private var terms: Terms {
        switch self {
        case .free: Terms(quota: .max)
        case .read: Terms(quota: 6000)
        case .write: Terms(quota: 3000)
        case .suggest: Terms(quota: 120)
        case .suggestedNames: Terms(quota: 2000, inAll: 50_000, seconds: 3600, noun: "suggested names")
        case .report: Terms(quota: 600)
        case .reportedItems: Terms(quota: 10_000, inAll: 150_000, seconds: 3600, noun: "crashes and sessions")
        case .newCrashGroups: Terms(quota: 30, seconds: 3600, noun: "new crash groups")
        case .newReleases: Terms(quota: 20, seconds: 3600, noun: "new releases")
        case .sessions: Terms(quota: 100_000, seconds: 3600, noun: "sessions")
        case .account: Terms(quota: 120)
        case .erasure: Terms(quota: 600, inAll: 20_000, seconds: 3600)
        case .admin: Terms(quota: 3000)
        case .decisions: Terms(quota: 60_000, inAll: 120_000, seconds: 3600, noun: "decisions of bulk calls")
        case .credentials: Terms(quota: 30)
        case .events: Terms(quota: 60_000, inAll: 75_000, noun: "units of events")
        case .eventsAhead: Terms(quota: 2000, inAll: 20_000, seconds: 3600, noun: "events dated ahead")
        case .newUsers: Terms(quota: 20_000, inAll: 150_000, seconds: 3600, noun: "new users")
        case .signedUsers: Terms(quota: 200_000, inAll: 150_000, seconds: 3600, noun: "new users")
        case .inflatedBytes: Terms(quota: 64 << 20, inAll: 512 << 20, noun: "bytes of decompressed bodies")
        case .renderedBytes: Terms(quota: 64 << 20, inAll: 256 << 20, noun: "bytes of rendered catalogue responses")
        }
    }

    /// The default for one client.
    var quota: Int { terms.quota }
    /// The default for all clients together; nil for allowances without a total.
    var quotaInAll: Int? { terms.inAll }
    var windowSeconds: Int { terms.seconds }
    /// The name of the counted unit in messages.
    var noun: String { terms.noun }

    /// The allowance whose total it shares.
    var total: Allowance { self == .signedUsers ? .newUsers : self }
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
