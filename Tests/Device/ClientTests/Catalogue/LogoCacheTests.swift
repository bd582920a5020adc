import Foundation
import SubGuardClient
import SubGuardDomain
import TestKit
import Testing

@Suite struct LogoCacheTests {
    @Test func fetchesOnceAndVerifies() async throws {
        let logo = try RepositoryFile.logo(1)
        let fixture = try ClientFixture { _, _ in TransportAnswer(status: 200, body: logo) }
        let cache = LogoCache(folder: fixture.folder.file("logos"))
        let file = try await cache.fetch(LogoPath.of(logo), from: fixture.server)
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: file))) == logo)
        #expect(try await cache.fetch(LogoPath.of(logo), from: fixture.server) == file)
        #expect(fixture.transport.requests.count == 1)
        // A file damaged on disk is fetched again.
        try Data("other".utf8).write(to: URL(fileURLWithPath: file))
        #expect(cache.file(LogoPath.of(logo)) == nil)
        _ = try await cache.fetch(LogoPath.of(logo), from: fixture.server)
        #expect(fixture.transport.requests.count == 2)
    }

    @Test func refusesAnotherContentAndAnotherPlace() async throws {
        let fixture = try ClientFixture { _, _ in .json("forged") }
        let cache = LogoCache(folder: fixture.folder.file("logos"))
        let other = try RepositoryFile.logo(1)
        for path in [LogoPath.of(other), "/logos/../../x.png", "https://evil.example/a.png", "/logos/a.svg"] {
            await #expect(throws: ClientError.self) { try await cache.fetch(path, from: fixture.server) }
        }
        #expect(fixture.transport.requests.count == 1)
        // The right hash, but no image.
        let page = LogoPath.of(Array("forged".utf8))
        await #expect(throws: ClientError.self) { try await cache.fetch(page, from: fixture.server) }
        #expect(cache.file(page) == nil)
    }

    @Test func keepsWithinItsBound() async throws {
        let (one, two) = (try RepositoryFile.logo(0), try RepositoryFile.logo(1))
        let fixture = try ClientFixture { request, _ in
            TransportAnswer(status: 200, body: request.url.hasSuffix(LogoPath.of(one)) ? one : two)
        }
        let cache = LogoCache(folder: fixture.folder.file("logos"), maximumBytes: 0)
        _ = try await cache.fetch(LogoPath.of(one), from: fixture.server)
        _ = try await cache.fetch(LogoPath.of(two), from: fixture.server)
        #expect(cache.file(LogoPath.of(one)) == nil && cache.file(LogoPath.of(two)) != nil)
    }

    /// The format is read from the bytes, whatever the name says.
    @Test func aFormatIsThatOfTheBytes() async throws {
        let photo = try RepositoryFile.logo(6)
        let fixture = try ClientFixture { _, _ in TransportAnswer(status: 200, body: photo) }
        let cache = LogoCache(folder: fixture.folder.file("logos"))
        _ = try await cache.fetch(LogoPath.of(photo), from: fixture.server)
        let image = try #require(cache.image(LogoPath.of(photo)))
        #expect(image.format.mediaType == "image/jpeg" && image.bytes == photo)
        #expect(cache.image(LogoPath.of(photo, suffix: "jpg")) == nil)
    }

    /// Who may write to the folder could put links in the places of the logos.
    @Test(arguments: [0o777 as mode_t, 0o1777, 0o770]) func isNotMadeWhereOthersMayWrite(_ mode: mode_t) async throws {
        let logo = try RepositoryFile.logo(1)
        let fixture = try ClientFixture { _, _ in TransportAnswer(status: 200, body: logo) }
        let folder = fixture.folder.file("logos")
        try #require(mkdir(folder, 0o700) == 0 && chmod(folder, mode) == 0)
        let cache = LogoCache(folder: folder)
        await #expect(throws: ClientError.self) { try await cache.fetch(LogoPath.of(logo), from: fixture.server) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
