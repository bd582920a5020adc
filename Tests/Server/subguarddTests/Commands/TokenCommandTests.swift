import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    struct TokenCommandTests {
        private let dashboard = "/api/v1/admin/dashboard"

        @Test func createPrintsTheTokenAloneAndItWorksAtOnce() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            let outcome = try await installation.run("token", "create", "--role", "analyst", "--name", "Café “1”")
            #expect(outcome.succeeded)
            #expect(try /sgt_[A-Za-z0-9_-]{43}\n/.wholeMatch(in: outcome.output) != nil)
            #expect(outcome.errors.isEmpty)
            let token = outcome.output.replacing("\n", with: "")
            #expect(try server.get(dashboard, token: token).status == 200)
            // The role applies: an analyst can read figures but not the catalogue.
            #expect(try server.get("/api/v1/admin/catalogue", token: token).status == 403)
        }

        @Test func listShowsEverythingButTheSecret() async throws {
            let installation = try await Installation.migrated()
            var tokens: [String] = []
            for role in ["owner", "editor", "moderator", "analyst"] {
                tokens.append(try await installation.makeToken(role: role, name: "for \(role)"))
            }
            #expect(Set(tokens).count == 4)
            let list = try await installation.run("token", "list")
            #expect(list.succeeded)
            #expect(list.outputLines.count == 5)
            for (token, line) in zip(tokens, list.outputLines.dropFirst()) {
                #expect(line.contains("\t\(token.prefix(8))\t"))
                #expect(line.hasSuffix("\tvalid"))
                #expect(!list.output.contains(token.dropFirst(8).prefix(6)))
            }
            // The database does not contain it either.
            let bytes = try installation.storeBytes()
            for token in tokens { #expect(bytes.range(of: Data(token.dropFirst(4).utf8)) == nil) }
        }

        /// Root may list the tokens of a database that another user can write to.
        @Test func namesOfTheDatabaseMoveNoCursor() async throws {
            let installation = try await Installation.migrated()
            let token = try await installation.makeToken(name: "plain")
            let name = "👩‍💻\u{1B}[2J\u{9B}1m\u{202E}x\u{7F}\n-\tvalid"
            let store = try SQLiteStore(path: installation.storePath)
            try store.write { try $0.execute("UPDATE access_tokens SET name = ?", [.text(name)]) }
            try store.close()
            let shown = #"👩‍💻\u{1B}[2J\u{9B}1m\u{202E}x\u{7F}\u{A}-\u{9}valid"#
            let list = try await installation.run("token", "list")
            #expect(list.outputLines.count == 2)
            #expect(list.outputLines.last?.split(separator: "\t").map(String.init).contains(shown) == true)
            let revoked = try await installation.run("token", "revoke", String(token.prefix(8)))
            #expect(revoked.outputLines.count == 1 && revoked.output.hasSuffix("(\(shown))\n"))
        }

        @Test func revokeHoldsAtOnce() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            let kept = try await installation.makeToken()
            let revoked = try await installation.makeToken(name: "leaked")
            #expect(try server.get(dashboard, token: revoked).status == 200)
            let outcome = try await installation.run("token", "revoke", String(revoked.prefix(8)))
            #expect(outcome.succeeded)
            #expect(outcome.output.contains("leaked"))
            #expect(try server.get(dashboard, token: revoked).status == 401)
            #expect(try server.get(dashboard, token: kept).status == 200)
            let list = try await installation.run("token", "list")
            #expect(list.outputLines.filter { $0.hasSuffix("\trevoked") }.count == 1)
        }

        @Test func revokeRefusesWhatItCannotTellApart() async throws {
            let installation = try await Installation.migrated()
            _ = try await installation.makeToken()
            for unknown in ["sgt_0000", "01234567-89ab-7def-8123-456789abcdef", ""] {
                let outcome = try await installation.run("token", "revoke", unknown)
                #expect(outcome.failed)
                #expect(outcome.output.isEmpty)
            }
            #expect(try installation.integer("SELECT count(*) FROM access_tokens WHERE revoked_at IS NULL") == 1)
        }

        @Test func anExpiryHolds() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            let before = UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
            let created = try await installation.run(
                "token", "create", "--role", "owner", "--name", "short", "--expires-in-days", "366")
            let token = created.output.replacing("\n", with: "")
            #expect(try server.get(dashboard, token: token).status == 200)
            let expiry = try #require(try installation.integer("SELECT expires_at FROM access_tokens"))
            let days = before.milliseconds(until: UTCInstant(millisecondsSinceEpoch: expiry)) / 86_400_000
            #expect(days == 366)

            try installation.execute("UPDATE access_tokens SET expires_at = created_at + 1")
            let refused = try server.get(dashboard, token: token)
            #expect(refused.status == 401)
            #expect(refused["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
            #expect(try await installation.run("token", "list").output.hasSuffix("\texpired\n"))
        }

        @Test(arguments: [
            ["--role", "admin", "--name", "x"], ["--role", "owner"], ["--name", "x"],
            ["--role", "owner", "--name", "x", "--expires-in-days", "0"],
            ["--role", "owner", "--name", "x", "--expires-in-days", "soon"], ["--role", "owner", "--name", ""],
            ["--role", "owner", "--name", "bell \u{7}"],
        ])
        func createRefusesBadInput(arguments: [String]) async throws {
            let installation = try await Installation.migrated()
            let process = try installation.start(.server, ["token", "create"] + arguments, variables: [:])
            guard case .exited(let status) = try await process.ending() else {
                Issue.record("the command did not end by itself")
                return
            }
            #expect(status != 0)
            #expect(process.output.isEmpty)
            #expect(try installation.integer("SELECT count(*) FROM access_tokens") == 0)
        }
    }
}
