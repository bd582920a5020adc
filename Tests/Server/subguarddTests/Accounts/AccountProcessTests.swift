import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    /// Accounts when server processes are killed.
    struct AccountProcessTests {
        private static let app = "app.example.subguard"

        private func post(_ server: RunningServer, _ target: String, _ body: String) throws -> RawResponse {
            let bytes = RequestText.post(target, Array(body.utf8))
            return try RawClient(port: server.port, timeoutSeconds: 20).exchange(bytes)
        }

        private func token(_ answer: RawResponse, _ name: String) throws -> String {
            #expect(answer.status == 200, "\(answer.text)")
            return try #require(try JSONValue.parse(answer.body).objectValue?[name]?.stringValue)
        }

        @Test func keepsWhatWasAnsweredOverKills() async throws {
            let installation = try Installation()
            let issuer = try AppleIssuer(keyID: "KEY-1")
            let keys = try KeyServer(AppleIssuer.keySet([try issuer.publicKey()]))
            defer { keys.close() }
            let now = Int64(Date().timeIntervalSince1970)
            let signer = try AppStoreSigner(now: now)
            let variables = [
                "SUBGUARD_APPLE_CLIENT_IDS": Self.app, "SUBGUARD_APPLE_KEYS_URL": keys.url,
                "SUBGUARD_APP_STORE_BUNDLE_ID": Self.app,
                "SUBGUARD_APP_STORE_ROOT_CERTIFICATES": try installation.folder.write(signer.rootPEM, to: "root.pem"),
            ]
            func restart(_ server: RunningServer) async throws -> RunningServer {
                server.process.send(signal: SIGKILL)
                #expect(try await server.process.ending() == .killed(signal: SIGKILL))
                return try await installation.serve(variables: variables)
            }

            var server = try await installation.serve(variables: variables)
            let identity = try issuer.token(AppleIssuer.claims(nonce: "n-1", issuedAt: now))
            let signIn = #"{"identity_token":"\#(identity)","nonce":"n-1"}"#
            let first = try post(server, "/api/v1/auth/apple", signIn)
            var refresh = try token(first, "refresh_token")
            server = try await restart(server)
            // Spent for every server, and across kills.
            #expect(try post(server, "/api/v1/auth/apple", signIn).status == 401)
            let access = try token(first, "access_token")
            #expect(try server.get("/api/v1/premium", token: access).status == 200)
            for _ in 0..<3 {
                let answer = try post(server, "/api/v1/auth/refresh", #"{"refresh_token":"\#(refresh)"}"#)
                let next = try token(answer, "refresh_token")
                #expect(next != refresh)
                refresh = next
                server = try await restart(server)
            }
            let transaction = try signer.sign(StoreSample(now: now).transaction())
            let request =
                "POST /api/v1/premium/verify HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(access)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(transaction.utf8.count + 25)\r\n\r\n"
                + #"{"signed_transaction":"\#(transaction)"}"#
            #expect(try server.exchange(request).status == 200)
            server = try await restart(server)
            let premium = try server.get("/api/v1/premium", token: access)
            #expect(try token(premium, "status") == "active")
            #expect(
                try server.exchange("DELETE /api/v1/me HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(access)\r\n\r\n")
                    .status == 204)
            server = try await restart(server)
            #expect(try server.get("/api/v1/premium", token: access).status == 401)
            #expect(try await server.stop() == .exited(0))
            #expect(try installation.integer("SELECT count(*) FROM accounts") == 0)
            // The App Store's state of the purchase is kept, but leads to no account.
            #expect(try installation.integer("SELECT count(*) FROM purchases") == 1)
            #expect(try installation.integer("SELECT count(*) FROM purchases WHERE account_id IS NOT NULL") == 0)
        }

        /// The request is on disk before its response; the next server carries it out.
        @Test func makesADeviceAnonymousOverKills() async throws {
            let installation = try Installation()
            var server = try await installation.serve()
            let user = String(repeating: "5a", count: 32)
            let now = UTCInstant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000)).rfc3339
            let event = #"""
                {"id":"\#(UUID().uuidString.lowercased())","name":"app_opened","user_id":"\#(user)",\#
                "timestamp":"\#(now)"}
                """#
            #expect(try post(server, "/api/v1/analytics", "[\(event)]").status == 202)
            #expect(try post(server, "/api/v1/analytics/erasure", #"{"user_id":"\#(user)"}"#).status == 202)
            server.process.send(signal: SIGKILL)
            _ = try await server.process.ending()
            server = try await installation.serve()
            let hash = Data([UInt8](repeating: 0x5A, count: 32))
            #expect(
                try await holds(withinSeconds: 20) {
                    try installation.integer("SELECT count(*) FROM analytics_erasures") == 0
                })
            #expect(try await server.stop() == .exited(0))
            #expect(try installation.storeBytes().range(of: hash) == nil)
            let verified = try await installation.run("figures", "verify")
            #expect(verified.succeeded, "\(verified.output) \(verified.errors)")
            #expect(try installation.integer("SELECT users FROM figure_totals") == 1)
        }

        @Test(arguments: [
            ("SUBGUARD_APPLE_KEYS_URL", "ftp://apple.example/keys"), ("SUBGUARD_APP_STORE_ENVIRONMENT", "Xcode"),
            ("SUBGUARD_APP_STORE_ROOT_CERTIFICATES", "/nowhere/root.pem"), ("SUBGUARD_APP_STORE_APP_ID", "-1"),
        ])
        func namesTheSettingThatIsWrong(_ variable: String, _ value: String) async throws {
            let installation = try await Installation.migrated()
            let process = try installation.startServer(variables: [variable: value])
            #expect(try await process.ending() == .exited(1))
            #expect(process.errors.contains(variable))
        }
    }
}
