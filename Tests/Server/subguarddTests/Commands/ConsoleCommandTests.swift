import Foundation
import TestKit
import Testing

extension ProgramTests {
    struct ConsoleCommandTests {
        @Test func linkPrintsAnAddressAlone() async throws {
            let installation = try await Installation.migrated()
            let none = try await installation.run("console", "link")
            #expect(!none.succeeded)
            #expect(none.errors.contains("token create --role owner"))
            _ = try await installation.makeToken(role: "owner", name: "first")
            let outcome = try await installation.run("console", "link")
            #expect(outcome.succeeded && outcome.errors.isEmpty)
            #expect(try /http:\/\/[^\/]+\/console\/link\/[A-Za-z0-9_-]{43}\n/.wholeMatch(in: outcome.output) != nil)
            // The database does not contain the code.
            let code = try #require(outcome.output.split(separator: "/").last).dropLast()
            #expect(try installation.storeBytes().range(of: Data(code.utf8)) == nil)
        }

        @Test func linkNamesATokenAndThePublicAddress() async throws {
            let installation = try await Installation.migrated()
            for role in ["owner", "analyst", "analyst"] {
                _ = try await installation.makeToken(role: role, name: "for \(role)")
            }
            let address = "public_url=https://subguard.example/"
            let outcome = try await installation.run(
                "console", "link", "--token-name", "for owner", "--set", address)
            #expect(outcome.output.hasPrefix("https://subguard.example/console/link/"))
            for name in ["for analyst", "nobody"] {
                let refused = try await installation.run("console", "link", "--token-name", name)
                #expect(!refused.succeeded)
                #expect(refused.errors.contains("valid tokens have the name \(name)"))
            }
        }
    }
}
