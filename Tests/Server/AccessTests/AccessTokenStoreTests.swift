import BackendTestKit
import Foundation
import SQLDatabase
import SQLiteDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Testing

struct AccessTokenStoreTests {
    private let fixture: BackendFixture
    private let tokens: AccessTokenStore

    init() throws {
        fixture = try BackendFixture()
        tokens = AccessTokenStore(context: fixture.context)
    }

    private func make(
        _ role: Role = .editor, name: String = "Zoë's laptop 💻", expiresAt: UTCInstant? = nil
    ) throws -> (token: String, record: AccessToken) {
        try tokens.create(role: role, name: name, expiresAt: expiresAt, by: .editor)
    }

    @Test func outlivesNotItsMaker() throws {
        let last = fixture.now.adding(days: 1)
        let maker = try make(.owner, expiresAt: last).record
        let actor = Actor(
            tokenID: maker.id, name: "é", requestID: nil, permissions: Set(Permission.allCases))
        func made(_ expiry: UTCInstant?) throws -> UTCInstant? {
            try tokens.create(role: .editor, name: "next", expiresAt: expiry, by: actor).record.expiresAt
        }
        #expect(try made(nil) == last, "without an expiry it gets that of its maker")
        #expect(try made(last) == last)
        #expect {
            try made(last.adding(milliseconds: 1))
        } throws: { error in
            guard case BackendError.invalid(let errors) = error else { return false }
            return errors.map(\.pointer) == ["#/expires_at"] && errors.map(\.code) == [.notHeld]
        }
    }

    /// A call may wait for other writers after its token was admitted.
    @Test func aTokenThatEndedMeanwhileChangesNothing() throws {
        for end in ["revoked", "expired"] {
            let maker = try make(.owner, expiresAt: fixture.now.adding(days: 1)).record
            let actor = Actor(tokenID: maker.id, name: maker.name, requestID: nil)
            _ = try tokens.create(role: .editor, name: "before", expiresAt: nil, by: actor)
            if end == "revoked" { try tokens.revoke(maker.id, by: .editor) }
            if end == "expired" { fixture.now = fixture.now.adding(days: 1) }
            let count = try tokens.list().count
            #expect(throws: BackendError.self) {
                try tokens.create(role: .editor, name: "after", expiresAt: nil, by: actor)
            }
            #expect(try tokens.list().count == count)
            let role = Role(name: "own", permissions: [.auditRead])
            let ended = BackendError.forbidden(detail: "The token has been revoked or has expired.")
            #expect(throws: ended) { try RoleStore(context: fixture.context).replace(with: [role], by: actor) }
            // It ends nobody else's access either.
            let other = try make(.owner).record
            let sessions = ConsoleSessionStore(context: fixture.context)
            _ = try sessions.begin(tokenID: other.id, browser: nil)
            let session = try #require(try sessions.list(ofToken: other.id).first).session.id
            #expect(throws: ended) { try tokens.revoke(other.id, by: actor) }
            #expect(throws: ended) { try sessions.end(session, ofToken: nil, by: actor) }
            #expect(throws: ended) { try sessions.endAll(except: UUID(), ofToken: nil, by: actor) }
            #expect(try sessions.list(ofToken: other.id).count == 1)
            // What has happened already is recorded all the same.
            try fixture.context.store.write { transaction in
                try AuditLog.append(.storeBackup, after: "{}", by: actor, at: fixture.now, in: transaction)
            }
        }
    }

    @Test func aTokenThatLostPermissionsMeanwhileGrantsNoMore() throws {
        let roles = RoleStore(context: fixture.context)
        try roles.replace(with: [Role(name: "own", permissions: [.accessManage, .auditRead])], by: .editor)
        let role = try #require(try roles.list().first { $0.name == "own" })
        let maker = try make(role).record
        let actor = Actor(tokenID: maker.id, name: maker.name, requestID: nil, permissions: role.permissions)
        let less = Role(name: "less", permissions: [.auditRead])
        try roles.replace(with: [Role(name: "own", permissions: [.accessManage]), less], by: .editor)
        for attempt in [
            { _ = try tokens.create(role: less, name: "é", expiresAt: nil, by: actor) },
            { _ = try roles.replace(with: [Role(name: "own", permissions: [.accessManage, .auditRead])], by: actor) },
        ] as [() throws -> Void] {
            #expect {
                try attempt()
            } throws: { error in
                guard case BackendError.invalid(let faults) = error else { return false }
                return faults.map(\.code) == [.notHeld]
            }
        }
    }

    @Test func makesTokensOf256BitsInTheirForm() throws {
        let made = try (0..<20).map { _ in try make().token }
        #expect(Set(made).count == 20)
        #expect(made.allSatisfy { $0.wholeMatch(of: /sgt_[A-Za-z0-9_-]{43}/) != nil })
    }

    @Test func opensWithTheTokenAndWithNothingNearIt() throws {
        let (token, record) = try make(.analyst)
        #expect(try tokens.authenticate(token) == record)
        #expect(record.role == .analyst)
        #expect(record.hint == String(token.prefix(8)))
        for wrong in [
            "", "sgt_", String(token.dropLast()), token + "A", token.uppercased(), "sgt_" + token.dropFirst(3),
        ] {
            #expect(try tokens.authenticate(wrong) == nil)
        }
    }

    @Test(.onSQLite) func storesNeitherTheTokenNorItsSecret() throws {
        let (token, _) = try make()
        let folder = URL(fileURLWithPath: try fixture.file.path).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!files.isEmpty)
        for file in files {
            let content = try Data(contentsOf: folder.appendingPathComponent(file))
            #expect(content.range(of: Data(token.utf8)) == nil)
            #expect(content.range(of: Data(token.utf8.dropFirst(8))) == nil)
        }
    }

    @Test func refusesATokenFromTheMomentOfItsExpiry() throws {
        let expiry = try instant("2028-02-29T00:00:00Z")
        let (token, record) = try make(expiresAt: expiry)
        fixture.now = expiry.adding(milliseconds: -1)
        #expect(try tokens.authenticate(token) == record)
        fixture.now = expiry
        #expect(try tokens.authenticate(token) == nil)
    }

    @Test func refusesNamesAndExpiriesThatMakeNoSense() throws {
        #expect(throws: BackendError.self) { try make(name: " \t ") }
        #expect(throws: BackendError.self) { try make(name: "a\u{0}b") }
        #expect(throws: BackendError.self) { try make(name: String(repeating: "x", count: 121)) }
        #expect {
            try make(name: "", expiresAt: fixture.now)
        } throws: { error in
            guard case .invalid(let errors) = error as? BackendError else { return false }
            return errors.map(\.pointer) == ["#/name", "#/expires_at"]
        }
        #expect(try tokens.list().isEmpty)
    }

    @Test func aRevocationByAnotherProcessHoldsAtOnce() throws {
        let (token, record) = try make()
        #expect(try tokens.authenticate(token) != nil)
        let other = AccessTokenStore(context: try fixture.reopened().context)
        let revoked = try other.revoke(record.id, by: .commandLine(user: "root"))
        #expect(revoked.revokedAt == fixture.now)
        #expect(try tokens.authenticate(token) == nil)
    }

    /// The same database, used by a server whose clock is a minute behind.
    private func late() throws -> (fixture: BackendFixture, tokens: AccessTokenStore) {
        let late = try fixture.reopened()
        late.now = fixture.now.adding(seconds: -60)
        return (late, AccessTokenStore(context: late.context))
    }

    private func actor(_ token: AccessToken) -> Actor {
        Actor(tokenID: token.id, name: token.name, requestID: nil, permissions: token.role.permissions)
    }

    @Test func aRevocationHoldsWhereTheClockIsBehind() throws {
        let (token, record) = try make(.owner)
        let late = try late()
        let sessions = ConsoleSessionStore(context: late.fixture.context)
        let secret = try sessions.begin(tokenID: record.id, browser: nil)
        let link = try sessions.makeLink(tokenID: record.id)
        #expect(try late.tokens.authenticate(token) != nil && sessions.find(secret) != nil)
        try tokens.revoke(record.id, by: .editor)
        #expect(try late.tokens.authenticate(token) == nil)
        #expect(try sessions.find(secret) == nil && sessions.list().isEmpty && sessions.token(ofLink: link) == nil)
        #expect(throws: BackendError.notFound(what: "token")) {
            try late.tokens.rotate(expiresAt: nil, graceSeconds: nil, by: actor(record))
        }
        let listed = try #require(try late.tokens.list().first)
        #expect(listed.revokedAt == fixture.now && listed.status(at: late.fixture.now) == .revoked)
        #expect(try late.tokens.list().count == 1)
    }

    /// The token that was replaced is revoked with its successor, also if its grace has ended here.
    @Test func aRevocationHoldsWhereAGraceGoesOn() throws {
        let (token, record) = try make()
        let next = try tokens.rotate(expiresAt: nil, graceSeconds: 60, by: actor(record))
        let end = fixture.now.adding(seconds: 60)
        fixture.now = end
        let late = try late()
        #expect(try tokens.authenticate(token) == nil && late.tokens.authenticate(token) != nil)
        try tokens.revoke(next.record.id, by: .editor)
        #expect(try late.tokens.authenticate(token) == nil && late.tokens.authenticate(next.token) == nil)
        #expect(try tokens.find(record.id)?.revokedAt == end)
        #expect(
            try fixture.texts("SELECT action FROM audit_entries ORDER BY sequence")
                == ["token.create", "token.rotate", "token.revoke"])
    }

    @Test func withoutAGraceAReplacedTokenIsRevoked() throws {
        let (token, record) = try make()
        _ = try tokens.rotate(expiresAt: nil, graceSeconds: 0, by: actor(record))
        #expect(try late().tokens.authenticate(token) == nil)
    }

    @Test func revokesByIdByItsBeginningAndByHint() throws {
        let first = try make(name: "first")
        fixture.now = try instant("2027-01-01T00:00:00Z")
        let second = try make(name: "second")
        fixture.now = fixture.now.adding(milliseconds: 1)
        let third = try make(name: "third")

        #expect(try tokens.revoke(String(first.record.id.lowercased.prefix(10)), by: .editor).name == "first")
        #expect(try tokens.revoke(second.record.id.lowercased.uppercased(), by: .editor).name == "second")
        #expect(try tokens.revoke(third.record.hint, by: .editor).name == "third")
        #expect(try tokens.list().map(\.name) == ["first", "second", "third"])
        #expect(try tokens.list().allSatisfy { $0.revokedAt != nil })
    }

    @Test func refusesToGuessWhichTokenIsMeant() throws {
        let first = try make().record
        _ = try make()
        #expect {
            try tokens.revoke(String(first.id.lowercased.prefix(8)), by: .editor)
        } throws: { error in
            guard case .conflict(code: .conflict, _) = error as? BackendError else { return false }
            return true
        }
        #expect(throws: BackendError.notFound(what: "token")) { try tokens.revoke("0", by: .editor) }
        #expect(throws: BackendError.notFound(what: "token")) { try tokens.revoke("", by: .editor) }
        #expect(throws: BackendError.notFound(what: "token")) { try tokens.revoke(makeID(5), by: .editor) }
        #expect(try tokens.list().allSatisfy { $0.revokedAt == nil })
    }

    /// An owner whose token is about to expire does not count as the remaining owner.
    @Test func countsOnlyOwnersThatLastForTheLastOne() throws {
        func isLastOwner(_ id: UUID) throws -> Bool {
            do {
                try tokens.revoke(id, by: .editor, keepsAnOwner: true)
                return false
            } catch BackendError.conflict(code: .lastOwner, _) {
                return true
            }
        }
        let soon = fixture.now.adding(seconds: 1)
        let guests = try (0..<2).map { _ in
            try tokens.create(role: .owner, name: "guest “é”", expiresAt: soon, by: .editor).record.id
        }
        let lasting = try tokens.create(role: .owner, name: "Zoë", expiresAt: nil, by: .editor).record.id
        #expect(try isLastOwner(lasting))
        #expect(try !isLastOwner(guests[0]))
        let second = try tokens.create(role: .owner, name: "Zoë's other", expiresAt: nil, by: .editor).record.id
        #expect(try !isLastOwner(lasting))
        #expect(try isLastOwner(second))
        // If no owner token is permanent, the last valid one cannot be revoked.
        try tokens.revoke(second, by: .editor)
        #expect(try isLastOwner(guests[1]))
        _ = try tokens.create(role: .owner, name: "guest", expiresAt: soon, by: .editor)
        #expect(try !isLastOwner(guests[1]))
    }

    @Test func aSecondRevocationKeepsTheFirstMomentAndWritesNoAuditRow() throws {
        let record = try make().record
        let first = try tokens.revoke(record.id, by: .editor)
        fixture.now = fixture.now.adding(seconds: 5)
        #expect(try tokens.revoke(record.id, by: .editor) == first)
        #expect(
            try fixture.texts("SELECT action FROM audit_entries ORDER BY sequence") == ["token.create", "token.revoke"])
    }

    @Test func notesUseAtMostOnceAMinute() throws {
        let (token, record) = try make()
        let start = fixture.now
        try tokens.noteUse(record.id, at: start)
        try tokens.noteUse(record.id, at: start.adding(milliseconds: 59_999))
        #expect(try tokens.authenticate(token)?.lastUsedAt == start)
        try tokens.noteUse(record.id, at: start.adding(seconds: 60))
        #expect(try tokens.authenticate(token)?.lastUsedAt == start.adding(seconds: 60))
        try tokens.noteUse(record.id, at: start)
        #expect(try tokens.authenticate(token)?.lastUsedAt == start.adding(seconds: 60))
        try tokens.noteUse(makeID(9), at: start)
    }
}
