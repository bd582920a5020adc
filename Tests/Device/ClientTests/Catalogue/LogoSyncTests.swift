import Foundation
import SubGuardClient
import SubGuardEngine
import Synchronization
import TestKit
import Testing

/// The logos of the catalogue are fetched as a whole.
@Suite struct LogoSyncTests {
    /// A server with a catalogue and the contents of its logos; anything else is 404.
    private final class Stub: Sendable {
        let items = Mutex<[(slug: String, logo: String?)]>([])
        let contents = Mutex<[String: [UInt8]]>([:])
        let isDown = Mutex(false)

        /// Returns the path of a logo with this content.
        func add(_ content: [UInt8], suffix: String = "png", served: [UInt8]? = nil) -> String {
            let path = LogoPath.of(content, suffix: suffix)
            contents.withLock { $0[path] = served ?? content }
            return path
        }

        func answer(_ request: TransportRequest) throws(TransportError) -> TransportAnswer {
            guard let path = URLComponents(string: request.url)?.path else { throw .cancelled }
            guard path != "/api/v1/catalogue" else {
                let items = items.withLock { items in
                    items.enumerated().map { number, item in
                        """
                        {"id":"00000000-0000-7000-8000-00000000000\(number)","name":"É \(number)",\
                        "slug":"\(item.slug)","category":"video","typical_amount":"12.34","currency":"EUR",\
                        "billing_cycle":"monthly","website":null,"logo_url":\(item.logo.map { "\"\($0)\"" } ?? "null"),\
                        "cancel_url":null,"notice_days":null,"aliases":[],"updated_at":"2026-02-28T00:00:00Z"}
                        """
                    }
                }
                // The token is too old, so that each sync downloads everything.
                guard !request.url.contains("since=") else { return .problem(410, "sync_token_expired") }
                return .json("{\"items\":[\(items.joined(separator: ","))],\"next_cursor\":null,\"sync_token\":\"t\"}")
            }
            guard !isDown.withLock({ $0 }) else { throw .unreachable(.cut) }
            return contents.withLock { $0[path] }.map { TransportAnswer(status: 200, body: $0) }
                ?? .problem(404, "not_found")
        }
    }

    private let stub = Stub()
    private let fixture: ClientFixture
    private let cache: LogoCache

    init() throws {
        let stub = stub
        fixture = try ClientFixture(consent: .revoked) { request, _ throws(TransportError) in try stub.answer(request) }
        cache = LogoCache(folder: fixture.folder.file("store.sqlite.logos"))
    }

    private func sync() async throws -> SyncReport.Part {
        let synchroniser = Synchroniser(
            store: fixture.store, server: fixture.server, account: nil, device: .init(), logos: cache)
        let report = await synchroniser.run(force: true, at: fixture.moment)
        return try #require(report.parts.last { $0.name == .logos })
    }

    private func counts(_ part: SyncReport.Part) -> [String: Int] {
        Dictionary(part.counts.map { ($0.name, $0.value) }) { $1 }
    }

    /// The paths of logos that were asked for.
    private var asked: [String] { fixture.transport.targets.filter { $0.hasPrefix("/logos/") } }

    @Test func allLogosAreFetchedOnceWhateverTheUserHas() async throws {
        let (one, two) = (stub.add(try RepositoryFile.logo(0)), stub.add(try RepositoryFile.logo(6), suffix: "jpg"))
        stub.items.withLock { $0 = [("c", one), ("a", nil), ("b", two), ("d", one)] }
        try fixture.add("É 0")
        let first = try await sync()
        #expect(first.result == .done && counts(first) == ["all": 2, "fetched": 2, "skipped": 0])
        #expect(Set(asked) == [one, two] && asked.count == 2)
        #expect(fixture.transport.requests.allSatisfy { $0.url.hasPrefix("https://a.example/") })
        #expect(cache.file(one) != nil && cache.file(two) != nil)
        let second = try await sync()
        #expect(second.result == .unneeded && second.reason == "fresh" && counts(second) == ["all": 2])
        #expect(asked.count == 2)
        // What the catalogue no longer has is deleted.
        stub.items.withLock { $0 = [("c", one)] }
        #expect(counts(try await sync()) == ["all": 1])
        #expect(cache.file(one) != nil && cache.file(two) == nil)
    }

    @Test func aBadLogoCostsNoOtherOne() async throws {
        let good = stub.add(try RepositoryFile.logo(1))
        let forged = stub.add(try RepositoryFile.logo(0), served: Array("<script>".utf8))
        let page = stub.add(Array("<svg onload=alert(1)>".utf8))
        let absent = "/logos/\(String(repeating: "a", count: 64)).png"
        stub.items.withLock {
            $0 = [("a", absent), ("b", forged), ("c", page), ("d", "https://evil.example/x.png"), ("e", good)]
        }
        let part = try await sync()
        #expect(part.result == .done && counts(part) == ["all": 4, "fetched": 1, "skipped": 3])
        #expect(cache.file(good) != nil && cache.file(forged) == nil && cache.file(page) == nil)
        #expect(fixture.transport.requests.allSatisfy { $0.url.hasPrefix("https://a.example/") })
    }

    @Test func aLostConnectionEndsItAndTheNextSyncContinues() async throws {
        let logos = try (0...2).map { stub.add(try RepositoryFile.logo($0)) }
        stub.items.withLock { $0 = zip(["a", "b", "c"], logos).map { ($0, $1) } }
        stub.isDown.withLock { $0 = true }
        let failed = try await sync()
        #expect(failed.result == .failed && failed.reason == "unreachable")
        stub.isDown.withLock { $0 = false }
        #expect(counts(try await sync()) == ["all": 3, "fetched": 3, "skipped": 0])
    }

    @Test func withoutLogosOrACacheNothingIsSaid() async throws {
        stub.items.withLock { $0 = [("a", nil)] }
        let part = try await sync()
        #expect(part.result == .unneeded && part.reason == "no_logos" && part.counts.isEmpty)
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(!report.parts.contains { $0.name == .logos })
        #expect(try fixture.store.sync.last().succeededAt != nil)
    }
}
