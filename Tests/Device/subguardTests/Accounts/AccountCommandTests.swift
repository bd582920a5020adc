import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    /// Signing in, premium and erasure with `subguard`, a real server and a simulated Apple.
    @Suite struct AccountCommandTests {
        /// A server with its own test keys for Apple and root for the App Store.
        private final class World {
            let issuer: AppleIssuer
            let keys: KeyServer
            let signer: AppStoreSigner
            let server: Server
            let relay: Relay
            let device: Client
            private let folder: TemporaryFolder
            let now = Int64(Date().timeIntervalSince1970)

            init() throws {
                issuer = try AppleIssuer(keyID: "KEY-1")
                keys = try KeyServer(AppleIssuer.keySet([try issuer.publicKey()]))
                signer = try AppStoreSigner(now: now)
                folder = try TemporaryFolder()
                server = try Server(variables: [
                    "SUBGUARD_APPLE_CLIENT_IDS": "app.example.subguard", "SUBGUARD_APPLE_KEYS_URL": keys.url,
                    "SUBGUARD_APP_STORE_BUNDLE_ID": "app.example.subguard",
                    "SUBGUARD_APP_STORE_ROOT_CERTIFICATES": try folder.write(signer.rootPEM, to: "root.pem"),
                ])
                relay = try Relay(to: server.port)
                device = try Client(environment: [
                    "SUBGUARD_SERVER": "http://127.0.0.1:\(relay.port)", "SUBGUARD_PREMIUM": "",
                    "SUBGUARD_CONSENT": "false",
                ])
            }

            deinit { keys.close() }

            /// Uses the real clock, against which tokens are checked.
            func run(_ arguments: String...) throws -> Client.Outcome {
                try device.run(arguments + ["--json"], now: nil)
            }

            func json(_ arguments: String...) throws -> JSONValue {
                let outcome = try device.run(arguments + ["--json"], now: nil)
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
                return try JSONValue.parse(Array(outcome.output.utf8))
            }

            func signIn(nonce: String) throws -> Client.Outcome {
                let token = try issuer.token(AppleIssuer.claims(nonce: nonce, issuedAt: now))
                let file = try device.folder.write(token + "\n", to: "token")
                return try run("account", "sign-in", "--identity-token-file", file, "--nonce", nonce)
            }

            var sessionPath: String { device.store + ".session" }

            /// Invalidates the access token on the server, as after an hour.
            func spoilAccessToken() throws {
                let text = try String(contentsOfFile: sessionPath, encoding: .utf8)
                let spoiled = text.replacing(/"access_token":"[^"]*"/, with: #""access_token":"spent""#)
                try Data(spoiled.utf8).write(to: URL(fileURLWithPath: sessionPath))
            }

            var refreshes: Int { relay.requestLines.filter { $0.contains("/auth/refresh") }.count }
        }

        /// A server that gives premium to all, and a device without an account.
        @Test func anOperatorGivesPremium() throws {
            let server = try Server(variables: ["SUBGUARD_PREMIUM_FOR_ALL": "true"])
            let device = try Client(environment: [
                "SUBGUARD_SERVER": server.address, "SUBGUARD_PREMIUM": "", "SUBGUARD_CONSENT": "false",
            ])
            func run(_ arguments: String...) throws -> Client.Outcome { try device.run(arguments, now: nil) }
            for number in 1...6 {
                let outcome = try run(
                    "add", "--name", "Nº \(number) 😀", "--amount", "12.34", "--currency", "EUR", "--cycle", "monthly",
                    "--next", "2028-02-29")
                #expect(outcome.status == (number < 6 ? 0 : 1))
                if number == 6 {
                    #expect(outcome.errors.contains("given by the operator of your server: run subguard sync"))
                }
            }
            let own = try run("edit", "Nº 1 😀", "--category", "Été")
            #expect(own.status == 1 && own.errors.contains("given by the operator of your server"))
            #expect(try run("sync").status == 0)
            let premium = try JSONValue.parse(Array(try run("premium", "--json").output.utf8))
            #expect(premium["is_premium"]?.boolValue == true && premium["product_id"]?.isNull == true)
            #expect(premium["source"]?.stringValue == "all" && premium["account_id"]?.isNull == true)
            #expect(
                try run(
                    "add", "--name", "Nº 6", "--amount", "1", "--currency", "EUR", "--cycle", "monthly", "--next",
                    "2028-02-29"
                ).status == 0)
            // No one bought anything.
            #expect(try !run("status", "--json").output.contains("premium_conversion"))
        }

        /// The device names the account, the operator gives it premium, and the next sync learns it.
        @Test func anOperatorGivesPremiumToOneAccount() throws {
            let world = try World()
            #expect(try world.signIn(nonce: "n-8").status == 0)
            let id = try #require(try world.json("premium")["account_id"]?.stringValue)
            let given = try world.server.post("/api/v1/admin/accounts/\(id)/premium", #"{"until":"2099-12-31"}"#)
            #expect(given.status == 200, "\(given.text)")
            _ = try world.json("sync", "--force")
            let premium = try world.json("premium")
            #expect(premium["is_premium"]?.boolValue == true && premium["source"]?.stringValue == "granted")
            #expect(premium["expires_at"]?.stringValue == "2100-01-01T00:00:00Z")
            let said = try world.device.run("premium", "--lang", "fr", now: nil).output
            #expect(said.contains("donné par l’exploitant de ton serveur") && said.contains(id))
        }

        @Test func provesPremiumAndKeepsItOffline() throws {
            let world = try World()
            #expect(try world.run("premium", "verify", "--transaction-file", "/dev/null").status == 1)
            #expect(try world.signIn(nonce: "n-1").status == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: world.sessionPath)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let transaction = try world.signer.sign(StoreSample(now: world.now).transaction())
            let file = try world.device.folder.write(transaction, to: "transaction")
            let proof = try world.json("premium", "verify", "--transaction-file", file)
            #expect(proof["is_premium"]?.boolValue == true && proof["status"]?.stringValue == "active")
            world.relay.behave(.offline)
            for number in 1...6 {
                let added = try world.run(
                    "add", "--name", "S\(number)", "--amount", "1", "--currency", "EUR", "--cycle", "monthly", "--next",
                    "2030-01-31")
                #expect(added.status == 0, "\(added.errors)")
            }
            #expect(try world.json("premium")["is_premium"]?.boolValue == true)
            let forged = try world.device.folder.write(String(transaction.dropLast(8)) + "AAAAAAAA", to: "forged")
            world.relay.behave(.pass)
            #expect(try world.run("premium", "verify", "--transaction-file", forged).status == 1)
            #expect(try world.json("premium")["status"]?.stringValue == "active")
        }

        @Test func refreshesOnceForManyAndSurvivesALostAnswer() throws {
            let world = try World()
            #expect(try world.signIn(nonce: "n-2").status == 0)
            try world.spoilAccessToken()
            // Requests: the catalogue, and one with the rejected token; then the response to the refresh is lost.
            world.relay.behave(.dropAnswers(1, after: 2))
            let report = try world.json("sync", "--force")
            #expect(report["premium"]?["result"]?.stringValue == "done", "\(report)")
            #expect(world.relay.droppedAnswers == 1 && world.refreshes == 2, "\(world.relay.requestLines)")
            try world.spoilAccessToken()
            let syncs = try (0..<4).map { _ in try world.device.process(["sync", "--force", "--json"], now: nil) }
            for process in syncs {
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
            }
            for process in syncs { process.waitUntilExit() }
            #expect(syncs.allSatisfy { $0.terminationStatus == 0 })
            #expect(world.refreshes == 3)
        }

        @Test func signsInOnceWithATokenAndOut() throws {
            let world = try World()
            #expect(try world.signIn(nonce: "n-3").status == 0)
            let again = try world.run(
                "account", "sign-in", "--identity-token-file", world.device.folder.file("token"), "--nonce", "n-3")
            #expect(again.status == 1 && again.output.contains("invalid_identity_token"))
            for call in [["sign-out"], ["erase"], ["sign-in", "--identity-token-file", "/dev/null", "--nonce", "n"]] {
                let elsewhere = try world.device.run(
                    ["account"] + call + ["--server", "http://127.0.0.1:9"], now: nil)
                #expect(elsewhere.status == 1 && elsewhere.errors.contains("You are signed in at"), "\(elsewhere)")
            }
            #expect(try world.json("account", "sign-out")["server_told"]?.boolValue == true)
            #expect(!FileManager.default.fileExists(atPath: world.sessionPath))
            #expect(try world.run("account", "sign-out").status == 0)
        }

        @Test func erasesTheAccountAndLeavesTheSubscriptions() throws {
            let world = try World()
            _ = try world.device.add("Stays")
            #expect(try world.signIn(nonce: "n-4").status == 0)
            #expect(try world.json("account", "erase")["account"]?.stringValue == "erased")
            #expect(try world.server.integer("SELECT count(*) FROM accounts") == 0)
            #expect(try world.json("list").each("name") == ["Stays"])
            #expect(try world.json("premium")["is_premium"]?.boolValue == false)
            // If the response is lost, the session has already ended when the request is repeated.
            #expect(try world.signIn(nonce: "n-5").status == 0)
            world.relay.behave(.dropAnswers(1))
            #expect(try world.json("account", "erase")["account"]?.stringValue == "session_ended")
            #expect(try world.server.integer("SELECT count(*) FROM accounts") == 0)
        }

        @Test func refusesTokensThatOthersMayRead() throws {
            let world = try World()
            #expect(try world.signIn(nonce: "n-6").status == 0)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: world.sessionPath)
            // `status` only reports it.
            for (arguments, status) in [(["sync"], 1), (["status"], 0), (["account", "erase"], 1)]
                as [([String], Int32)]
            {
                let outcome = try world.device.run(arguments, now: nil)
                #expect(
                    outcome.status == status && (outcome.errors + outcome.output).contains("chmod 600"), "\(arguments)")
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: world.sessionPath))
            let backup = try world.device.run(["backup", world.sessionPath], now: nil)
            #expect(backup.status == 1)
            #expect(try Data(contentsOf: URL(fileURLWithPath: world.sessionPath)) == before)
        }
    }
}
