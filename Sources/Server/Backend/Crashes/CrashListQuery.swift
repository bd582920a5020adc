import Crypto
import Foundation
import SubGuardDomain

/// Which crash groups a list has, and in which order.
package struct CrashListQuery: Sendable, Hashable {
    /// The raw value is the name on the wire; the highest one comes first.
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

    /// Nil for all.
    package var status: CrashStatus?
    /// A part of the title or the culprit, the case of ASCII letters aside; nil for all.
    package var search: String?
    package var sort: Sort

    package init(status: CrashStatus? = nil, search: String? = nil, sort: Sort = .lastSeen) {
        self.status = status
        self.search = search
        self.sort = sort
    }

    /// What LIKE finds a text by, wherever it stands. `!` escapes.
    static func pattern(_ search: String) -> String {
        var bytes = Array("%".utf8)
        for byte in search.utf8 {
            if Octet.isOneOf(byte, "%_!") { bytes.append(UInt8(ascii: "!")) }
            bytes.append(Octet.isUpper(byte) ? byte | 0x20 : byte)
        }
        return String(decoding: bytes + Array("%".utf8), as: UTF8.self)
    }

    /// Four bytes, so that a cursor belongs to its list.
    fileprivate var mark: [UInt8] {
        let text = "\(status?.rawValue ?? "") \(sort.rawValue) \(search ?? "")"
        return Array(SHA256.hash(data: Data(text.utf8)).prefix(4))
    }
}

/// The place behind the last group of a page.
package struct CrashCursor: Sendable, Hashable {
    /// By what the list is sorted.
    let key: Int64
    let id: UUID

    init(key: Int64, id: UUID) {
        self.key = key
        self.id = id
    }

    /// Opaque text, safe in a URL.
    package func encoded(for query: CrashListQuery) -> String {
        Base64URL.text(of: query.mark + withUnsafeBytes(of: key.bigEndian) { Array($0) } + id.rawBytes)
    }

    /// Nil for anything that ``encoded(for:)`` does not write for that query.
    package init?(encoded: String, for query: CrashListQuery) {
        guard let bytes = Base64URL.bytes(of: encoded), bytes.count == 28, Array(bytes[..<4]) == query.mark,
            let id = UUID(rawBytes: bytes[12...])
        else { return nil }
        self.init(key: bytes[4..<12].reduce(Int64(0)) { $0 << 8 | Int64($1) }, id: id)
    }
}
