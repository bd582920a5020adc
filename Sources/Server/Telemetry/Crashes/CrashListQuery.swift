package import ServerAccess
import SubGuardDomain

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
