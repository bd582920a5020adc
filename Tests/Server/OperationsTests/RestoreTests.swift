import BackendTestKit
import FileAccess
import SQLDatabase
import SQLiteDatabase
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

@testable import Catalogue
@testable import Operations

/// What a restored database holds.
struct RestoreTests {
    /// What was ended or used up after a backup must not begin again.
    @Test func signsEveryoneOut() throws {
        let folder = try TemporaryFolder()
        let fixture = try BackendFixture(path: folder.file("made/store.sqlite"))
        let tokens = AccessTokenStore(context: fixture.context)
        let (text, token) = try tokens.create(role: "owner", name: "n", expiresAt: nil, by: .editor)
        let sessions = ConsoleSessionStore(context: fixture.context)
        let secret = try sessions.begin(tokenID: token.id, browser: nil)
        let link = try sessions.makeLink(tokenID: token.id)
        for statement in [
            "INSERT INTO console_challenges (challenge_hash, expires_at) VALUES (zeroblob(32), 1)",
            """
            INSERT INTO console_openid_pending (state_hash, browser_hash, expires_at)
            VALUES (zeroblob(32), zeroblob(32), 1)
            """,
            """
            INSERT INTO accounts (id, subject_hash, purchase_token, created_at)
            VALUES (zeroblob(16), zeroblob(32), zeroblob(16), 1)
            """,
            "INSERT INTO account_sessions (id, account_id, created_at) VALUES (zeroblob(16), zeroblob(16), 1)",
            """
            INSERT INTO session_tokens (token_hash, session_id, kind, generation, expires_at)
            VALUES (zeroblob(32), zeroblob(16), 'refresh', 1, 1)
            """,
        ] { try fixture.execute(statement) }
        let logos = LogoFolder(path: folder.file("logos"))
        let backup = try BackupWriter(store: fixture.file, logos: logos, program: "test")
            .write(to: BackupFolder(path: folder.file("backups")), at: fixture.now).path
        try sessions.end([secret])
        #expect(try sessions.redeem(link: link, browser: nil) != nil)

        let path = folder.file("data/store.sqlite")
        let now = fixture.now
        _ = try Restore(storePath: path, logos: logos, now: { now }, random: { 29 }).run(backup, by: .editor)
        let restored = try BackendFixture(path: path)
        #expect(try ConsoleSessionStore(context: restored.context).find(secret) == nil)
        #expect(try ConsoleSessionStore(context: restored.context).redeem(link: link, browser: nil) == nil)
        for table in [
            "console_sessions", "console_links", "console_challenges", "console_openid_pending", "account_sessions",
            "session_tokens",
        ] {
            #expect(try restored.count("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
        #expect(try AccessTokenStore(context: restored.context).authenticate(text)?.id == token.id)
        #expect(try restored.count("SELECT count(*) FROM accounts") == 1)
    }
}
