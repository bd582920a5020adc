package import Foundation
package import ServerAccess
package import SubGuardDomain

/// Crash reports with the same cause, counted.
package struct CrashGroup: Sendable, Hashable {
    package let id: UUID
    package let title: String
    package let culprit: String?
    package let platform: String?
    package let level: CrashLevel
    package let status: CrashStatus
    package let count: Int64
    package let firstSeenAt: UTCInstant
    package let lastSeenAt: UTCInstant
    /// When an administrator resolved or ignored it; nil while it is open.
    package let decidedAt: UTCInstant?
    /// When a report reopened it after it was resolved; nil after the next decision.
    package let regressedAt: UTCInstant?
    /// Incremented by each change of ``status``, not by reports.
    package let revision: Int64
    /// Most reports first.
    package var releases: [Release]

    package struct Release: Sendable, Hashable {
        /// Nil for reports without a release.
        package let name: String?
        package let count: Int64
        package let lastSeenAt: UTCInstant
    }

    /// A group as it was before names made several one.
    package struct Part: Sendable, Hashable {
        /// Image and offset; nil without a stack.
        package let place: String?
        /// Debug id and architecture of the image; nil if they are not known.
        package let build: String?
        package let count: Int64
        package let firstSeenAt: UTCInstant
        package let lastSeenAt: UTCInstant
        package let status: CrashStatus
    }

    /// A group with what is read for it alone.
    package struct Details: Sendable {
        package let group: CrashGroup
        /// Newest first.
        package let samples: [Sample]
        /// Oldest first, at most ``mostParts``; empty for a group that names did not join with others.
        package let parts: [Part]
        /// Of all parts.
        package let partCount: Int64

        package static let mostParts = 50
    }

    /// A stored report.
    package struct Sample: Sendable, Hashable {
        package let occurredAt: UTCInstant
        /// Compact JSON.
        package let body: String
    }
}

/// The state of a group in triage.
package enum CrashStatus: String, Sendable, CaseIterable {
    case open
    /// A report of a later crash reopens it.
    case resolved
    /// Counted, but never reopened by reports.
    case ignored
}

/// Sessions of one release in the last 720 hours, and its crash reports.
package struct ReleaseHealth: Sendable, Hashable {
    package let release: String
    package let tally: SessionTally
    /// Crash reports in all stored groups.
    package let reports: Int64
    /// When its first session began or its first report was made; nil for an old release whose sessions are no longer
    /// stored.
    package let firstSeenAt: UTCInstant?
    /// Nil if there are no sessions.
    package var crashFree: FigureNumber? { .percent(tally.sessions - tally.crashed, of: tally.sessions) }
}

/// Filter and order of a list of crash groups.
package struct CrashListQuery: Sendable, Hashable {
    /// The raw value is the name on the wire; sorted in descending order.
    package enum Sort: String, Sendable, CaseIterable {
        case lastSeen = "-last_seen_at"
        case firstSeen = "-first_seen_at"
        case count = "-count"

        var column: String {
            switch self {
            case .lastSeen: "last_seen_at"
            case .firstSeen: "first_seen_at"
            case .count: "event_count"
            }
        }

        func key(of group: CrashGroup) -> Int64 {
            switch self {
            case .lastSeen: group.lastSeenAt.millisecondsSinceEpoch
            case .firstSeen: group.firstSeenAt.millisecondsSinceEpoch
            case .count: group.count
            }
        }
    }

    /// Nil for any status.
    package var status: CrashStatus?
    /// A part of the title or the culprit, ignoring the case of ASCII letters; nil for any.
    package var search: String?
    /// The exact name of a platform, as reported; nil for any.
    package var platform: String?
    /// The exact name of a release with a report in the group; nil for any.
    package var release: String?
    package var sort: Sort

    package init(
        status: CrashStatus? = nil, search: String? = nil, platform: String? = nil, release: String? = nil,
        sort: Sort = .lastSeen
    ) {
        self.status = status
        self.search = search
        self.platform = platform
        self.release = release
        self.sort = sort
    }

    /// The LIKE pattern that finds a text anywhere. `!` escapes.
    static func pattern(_ search: String) -> String {
        var bytes = Array("%".utf8)
        for byte in search.utf8 {
            if Octet.isOneOf(byte, "%_!") { bytes.append(UInt8(ascii: "!")) }
            bytes.append(Octet.isUpper(byte) ? byte | 0x20 : byte)
        }
        return String(decoding: bytes + Array("%".utf8), as: UTF8.self)
    }

    /// The list that cursors are bound to.
    package var list: PageCursor.List {
        PageCursor.List("crashes", ids: 1, status?.rawValue, sort.rawValue, search, platform, release)
    }
}
