import Catalogue
import Console
import Cryptography
import Foundation
import HTML
import HTTPServer
import ServerAccess
import SubGuardDomain
import Synchronization
import Telemetry
import TextCoding

/// Results of forms for the page that follows the redirect: what it says in detail, and what it can undo. What can be
/// undone is stored, for all servers of the database; the rest is kept in memory for a while. The counts stand in the
/// address too, so that another process, or this one after a restart, still says what was done.
final class ConsoleNotices: Sendable {
    enum Result: Sendable {
        case suggestions([DecidedSuggestion])
        /// - Parameter changed: titles of groups that were left because another person decided meanwhile.
        case crashes([CrashDecision], changed: [String], isUndo: Bool)
        case releases([ReleaseDecision])
        case imported(ImportPage.Report, content: String?, fileName: String, skipsBadRows: Bool)
        case logos([LogosPage.Result])
    }

    struct DecidedSuggestion: Sendable {
        let id: UUID
        let outcome: SuggestionOutcome
        /// When it was decided; nil if there is nothing to undo.
        let decidedAt: UTCInstant?
    }

    struct Kept: Sendable {
        let id: String
        let session: UUID
        let location: String
        var result: Result { didSet { bytes = result.keptBytes } }
        let at: UTCInstant
        private(set) var bytes: Int

        init(id: String, session: UUID, location: String, result: Result, at: UTCInstant) {
            (self.id, self.session, self.location, self.result, self.at) = (id, session, location, result, at)
            bytes = result.keptBytes
        }
    }

    /// How long results are kept.
    private static let seconds: Int64 = 3600
    private static let mostOfAll = 200
    private static let mostOfASession = 20
    /// About, of all results together.
    static let mostBytes = 32 << 20
    /// Imports with their items and files, of at most ``ImportPage/maximumKeptBytes`` each.
    private static let mostContents = 4

    private let kept = Mutex<[Kept]>([])
    private let store: ConsoleNoticeStore
    private let now: @Sendable () -> UTCInstant

    init(store: ConsoleNoticeStore, now: @escaping @Sendable () -> UTCInstant) {
        self.store = store
        self.now = now
    }

    /// The id of what a form does: the same for the same form, sent again.
    static func id(of visit: ConsoleVisit) -> String {
        var hash = SHA256()
        hash.update(Array((visit.session?.id.lowercased ?? "").utf8))
        hash.update(Array("/\(visit.path.joined(separator: "/")) ".utf8))
        hash.update(visit.request.body)
        return Hexadecimal.text(hash.finish().prefix(9))
    }

    /// Carries out a form whose result the next page says. Sent again, it is answered as the first time.
    func once(_ visit: ConsoleVisit, _ carryOut: () throws -> Response) throws -> Response {
        let id = Self.id(of: visit)
        if let former = find(id, for: visit) { return ConsoleResponse.seeOther(former.location) }
        if let session = visit.session?.id, let former = try store.find(id, ofSession: session) {
            return ConsoleResponse.seeOther(former.location)
        }
        return try carryOut()
    }

    /// Keeps the result of a form, and returns the page that says it.
    ///
    /// - Parameters:
    ///   - counts: how many of what, which the address says too.
    ///   - page: the page with a parameter that names the result.
    func keep(
        _ result: Result, of visit: ConsoleVisit, counts: [String: Int] = [:], at page: (NamedValue) -> HTMLLink
    ) -> HTMLLink {
        let id = Self.id(of: visit)
        let link = page(BulkNotice(id: id, counts: counts).parameter)
        if let session = visit.session?.id, let content = result.stored {
            // It is done already: without the row, the page only lacks the details.
            try? store.keep(content, id: id, ofSession: session, at: link.text)
        } else if let session = visit.session?.id {
            let entry = Kept(id: id, session: session, location: link.text, result: result, at: now())
            kept.withLock { kept in
                kept.removeAll { $0.id == id && $0.session == session }
                kept.append(entry)
                Self.bound(&kept, session)
            }
        }
        return link
    }

    /// Drops what is too much after a result of a session was added; the oldest goes first.
    static func bound(_ kept: inout [Kept], _ session: UUID) {
        let own = kept.indices.filter { kept[$0].session == session }
        if own.count > mostOfASession { kept.remove(at: own[0]) }
        if kept.count > mostOfAll { kept.removeFirst(kept.count - mostOfAll) }
        dropContents(&kept)
        var bytes = kept.reduce(0) { $0 + $1.bytes }
        while bytes > mostBytes { bytes -= kept.removeFirst().bytes }
    }

    /// Files are large, so only the newest few are kept.
    private static func dropContents(_ kept: inout [Kept]) {
        var contents = 0
        for index in kept.indices.reversed() {
            guard case .imported(let report, _, let fileName, let skipsBadRows) = kept[index].result else {
                continue
            }
            contents += 1
            if contents > mostContents {
                kept[index].result = .imported(
                    report.brief, content: nil, fileName: fileName, skipsBadRows: skipsBadRows)
            }
        }
    }

    /// The result that the address of a page names; nil if it is no longer kept.
    func result(_ id: String?, for visit: ConsoleVisit) -> Result? {
        guard let id, let session = visit.session?.id else { return nil }
        if let former = find(id, for: visit) { return former.result }
        return (try? store.find(id, ofSession: session)).flatMap { Result(stored: $0.content) }
    }

    private func find(_ id: String, for visit: ConsoleVisit) -> Kept? {
        guard let session = visit.session?.id else { return nil }
        let earliest = now().adding(seconds: -Self.seconds)
        return kept.withLock { kept in
            kept.removeAll { $0.at < earliest }
            return kept.last { $0.id == id && $0.session == session }
        }
    }
}

/// The notice in the address after a form on many: `done.ID.rejected-2.not_found-1`.
struct BulkNotice {
    static let code = "done"

    let id: String
    /// By the word of an outcome.
    let counts: [String: Int]

    init(id: String, counts: [String: Int]) {
        self.id = id
        self.counts = counts
    }

    /// Nil for any other notice.
    init?(_ visit: ConsoleVisit) {
        guard visit.notice?.code == Self.code, let value = visit.notice?.value, value.utf8.count <= 400 else {
            return nil
        }
        var parts = value.split(separator: ".")[...]
        guard let id = parts.popFirst() else { return nil }
        var counts: [String: Int] = [:]
        for part in parts {
            guard let mark = part.lastIndex(of: "-"), let count = Int(part[part.index(after: mark)...]),
                (1...1_000_000).contains(count)
            else { return nil }
            counts[String(part[..<mark])] = count
        }
        (self.id, self.counts) = (String(id), counts)
    }

    /// The parameter of the address.
    var parameter: (name: String, value: String) {
        let texts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key)-\($0.value)" }
        return ("notice", ([Self.code, id] + texts).joined(separator: "."))
    }

    /// The counts of the words that are outcomes of a kind.
    func counts<Outcome: RawRepresentable<String> & Hashable>(of type: Outcome.Type) -> [Outcome: Int] {
        Dictionary(counts.compactMap { word, count in Outcome(rawValue: word).map { ($0, count) } }) { first, _ in first
        }
    }
}

extension Sequence<String> {
    /// How often each word occurs.
    var counts: [String: Int] { Dictionary(map { ($0, 1) }, uniquingKeysWith: +) }
}
