import Cryptography
import Foundation
import SubGuardClient
import TestKit
import Testing

@Suite struct LogoCacheTests {
    private static func path(_ content: String) -> String {
        "/logos/" + SHA256.hash(of: content.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            + ".png"
    }

    @Test func fetchesOnceAndVerifies() async throws {
        let fixture = try ClientFixture { _, _ in .json("picture") }
        let cache = LogoCache(folder: fixture.folder.file("logos"))
        let file = try await cache.fetch(Self.path("picture"), from: fixture.server)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "picture")
        #expect(try await cache.fetch(Self.path("picture"), from: fixture.server) == file)
        #expect(fixture.transport.requests.count == 1)
        // A file damaged on disk is fetched again.
        try Data("other".utf8).write(to: URL(fileURLWithPath: file))
        #expect(cache.file(Self.path("picture")) == nil)
        _ = try await cache.fetch(Self.path("picture"), from: fixture.server)
        #expect(fixture.transport.requests.count == 2)
    }

    @Test func refusesAnotherContentAndAnotherPlace() async throws {
        let fixture = try ClientFixture { _, _ in .json("forged") }
        let cache = LogoCache(folder: fixture.folder.file("logos"))
        for path in [Self.path("picture"), "/logos/../../x.png", "https://evil.example/a.png", "/logos/a.svg"] {
            await #expect(throws: ClientError.self) { try await cache.fetch(path, from: fixture.server) }
        }
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func keepsWithinItsBound() async throws {
        let fixture = try ClientFixture { request, _ in
            .json(request.url.contains(String(Self.path("a").dropFirst(7).prefix(20))) ? "a" : "bb")
        }
        let cache = LogoCache(folder: fixture.folder.file("logos"), maximumBytes: 0)
        _ = try await cache.fetch(Self.path("a"), from: fixture.server)
        _ = try await cache.fetch(Self.path("bb"), from: fixture.server)
        #expect(cache.file(Self.path("a")) == nil && cache.file(Self.path("bb")) != nil)
    }
}
