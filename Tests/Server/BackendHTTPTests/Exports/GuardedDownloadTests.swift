import BackendTestKit
import Logging
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP

struct GuardedDownloadTests {
    /// A stolen session is ended, while its token goes on.
    @Test func endsWithTheSessionInWhichItBegan() throws {
        let fixture = try BackendFixture()
        let (tokens, sessions) = (
            AccessTokenStore(context: fixture.context), ConsoleSessionStore(context: fixture.context)
        )
        let token = try tokens.create(role: "owner", name: "Ada", expiresAt: nil, by: .setup).record
        let secret = try sessions.begin(tokenID: token.id, browser: nil)
        let session = try #require(try sessions.find(secret)).session.id
        let download = GuardedDownload(
            name: "a download", actor: Actor(tokenID: token.id, name: "Ada", requestID: nil),
            permissions: [.accessManage], tokens: tokens, hasSession: { try sessions.exists(session) },
            now: fixture.context.now, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ) { [1] }
        #expect(try download.nextChunk() == [1])
        try sessions.end([secret])
        #expect(throws: (any Error).self) { try download.nextChunk() }
    }
}
