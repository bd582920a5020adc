package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// The app versions that are told apart, and their codes: a row of `app_versions` each.
///
/// The first ``most`` versions in the order of the log have one; all others are ``UserSegment/otherVersion``. Whether
/// an event counts for a version depends on these rows and on the event alone, so the order of counting makes no
/// difference.
package struct AppVersions {
    package static let most = 200
    private static let longest = 20

    private struct Known {
        let code: UInt8
        /// Events received before count as others: they were counted when the version had no code.
        let from: UTCInstant
    }

    private var known: [String: Known] = [:]
    private var names: [UInt8: String] = [:]
    /// Codes without a version, the next one last.
    private var free: [Known] = []

    /// None.
    package init() {}

    package static func load(in session: any SQLSession) throws -> AppVersions {
        var versions = AppVersions()
        var unused = Set(1...UInt8(most))
        var freed: [Known] = []
        try session.forEach("SELECT id, version, known_from FROM app_versions ORDER BY id", []) { row in
            let id = try row.integer(0)
            guard id >= 1, id <= most else { throw SQLError.malformed("app_versions") }
            let code = Known(code: UInt8(id), from: try row.optionalInstant(2) ?? .earliest)
            unused.remove(code.code)
            if row.isNull(1) {
                freed.append(code)
            } else {
                versions.known[try row.text(1)] = code
                versions.names[code.code] = try row.text(1)
            }
        }
        // Codes that were never used stand for a version in all events.
        versions.free = freed.reversed() + unused.sorted().reversed().map { Known(code: $0, from: .earliest) }
        return versions
    }

    /// Whether a text looks like a version: numbers with single dots between them, at most 20 characters.
    package static func isVersion(_ text: some Collection<UInt8>) -> Bool {
        guard text.count <= longest else { return false }
        var isAfterDigit = false
        for byte in text {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard isDigit || (byte == UInt8(ascii: ".") && isAfterDigit) else { return false }
            isAfterDigit = isDigit
        }
        return isAfterDigit
    }

    /// Nil for a code without a version.
    package func name(of code: UInt8) -> String? { names[code] }

    /// The code of a version in an event that was received at a moment.
    package func code(of version: String, receivedAt: UTCInstant) -> UInt8 {
        let (code, from) = codes(of: version)
        return receivedAt >= from ? code : UserSegment.otherVersion
    }

    /// The code of a version in events received from a moment on.
    func codes(of version: String) -> (code: UInt8, from: UTCInstant) {
        known[version].map { ($0.code, $0.from) } ?? (UserSegment.otherVersion, .earliest)
    }

    /// Gives the versions in blocks that are not counted yet their codes, as the next folds would.
    package static func addUncounted(in transaction: any SQLTransaction) throws {
        var versions = try load(in: transaction)
        var blocks: [(id: Int64, bytes: [UInt8])] = []
        try transaction.forEach(
            """
            SELECT b.id, b.events FROM event_blocks b JOIN event_folds f ON f.id = 1
            WHERE b.id > f.folded_block_id ORDER BY b.id
            """, []
        ) { blocks.append((try $0.integer(0), try $0.blob(1))) }
        for block in blocks {
            try EventBlockReader.read(block.bytes, of: block.id) { reader in
                _ = try BlockSegments(of: reader, &versions) { try $1.add($0, in: transaction) }
            }
        }
    }

    /// Whether a version would get a code.
    func wouldAdd(_ version: String) -> Bool {
        known[version] == nil && !free.isEmpty && Self.isVersion(version.utf8)
    }

    /// Gives a version that has no code the next free one.
    mutating func add(_ version: String, in transaction: any SQLTransaction) throws {
        guard wouldAdd(version), let next = free.last else { return }
        try transaction.execute(
            """
            INSERT INTO app_versions (id, version) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET version = excluded.version
            """, [.integer(Int64(next.code)), .text(version)])
        free.removeLast()
        known[version] = next
        names[next.code] = version
    }

    /// Frees the codes that no user has, such as those of discarded events. Call it when every event is counted. No
    /// event received until `now` counts for a version that takes such a code.
    package static func release(at now: UTCInstant, in transaction: any SQLTransaction) throws {
        // Of a clock that was set back.
        let received = try transaction.first("SELECT max(received_at) FROM event_blocks") { try $0.optionalInstant(0) }
        let last = max(received.flatMap(\.self) ?? now, now)
        try transaction.execute(
            """
            UPDATE app_versions SET version = NULL, known_from = ?
            WHERE version IS NOT NULL AND id NOT IN (SELECT segment FROM funnel_days WHERE dimension = 1)
                AND id NOT IN (SELECT segment / 16 FROM deferred_events)
            """, [.instant(last.adding(milliseconds: 1))])
    }
}

/// The segments of the events of a block.
package struct BlockSegments {
    /// By property set.
    private var sets: [(segment: UserSegment, versionFrom: UTCInstant)] = []

    package init(of reader: EventBlockReader, _ versions: AppVersions) {
        guard !reader.sets.isEmpty else { return }
        let marks = reader.members.map { Mark($0, versions) }
        sets = reader.sets.map { members in
            var (platform, version, from) = (
                UserSegment.unknownPlatform, UserSegment.unknownVersion, UTCInstant.earliest
            )
            for member in members {
                switch marks[member] {
                case .platform(let code): platform = code
                case .version(let code, let codeFrom): (version, from) = (code, codeFrom)
                case .neither: break
                }
            }
            return (UserSegment(platform: platform, version: version), from)
        }
    }

    /// Also gives the block's versions their codes, which `add` does.
    init(
        of reader: EventBlockReader, _ versions: inout AppVersions,
        adding add: (_ version: String, _ versions: inout AppVersions) throws -> Void
    ) throws {
        for member in reader.members {
            guard let version = Mark.value(of: Mark.version, in: member), AppVersions.isVersion(version) else {
                continue
            }
            try add(String(decoding: version, as: UTF8.self), &versions)
        }
        self.init(of: reader, versions)
    }

    package func segment(of event: EventBlockReader.Event) -> UserSegment {
        segment(ofSet: event.set, receivedAt: event.receivedAt)
    }

    /// That of an event with a property set, or without any, which was received at a moment.
    package func segment(ofSet set: Int?, receivedAt: UTCInstant) -> UserSegment {
        guard let set else { return .unknown }
        let found = sets[set]
        guard receivedAt < found.versionFrom else { return found.segment }
        return UserSegment(platform: found.segment.platform, version: UserSegment.otherVersion)
    }

    /// What a member such as `"platform":"ios"` says.
    private enum Mark {
        case platform(UInt8)
        case version(UInt8, from: UTCInstant)
        case neither

        static let platform = Array(#""platform":""#.utf8)
        static let version = Array(#""app_version":""#.utf8)

        init(_ member: UnsafeRawBufferPointer, _ versions: AppVersions) {
            if let name = Self.value(of: Self.platform, in: member) {
                self = .platform(UserSegment.platform(named: name))
            } else if let version = Self.value(of: Self.version, in: member) {
                let (code, from) = versions.codes(of: String(decoding: version, as: UTF8.self))
                self = .version(code, from: from)
            } else {
                self = .neither
            }
        }

        /// The text of the member that begins so; its escapes stay, because nothing that is looked for has any.
        static func value(of start: [UInt8], in member: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
            // Most members differ in their second byte.
            guard member.count > start.count, member[1] == start[1], member.starts(with: start) else { return nil }
            return member[start.count..<member.count - 1]
        }
    }
}
