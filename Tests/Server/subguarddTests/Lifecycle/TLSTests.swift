import Foundation
import TestKit
import Testing

extension ProgramTests {
    struct TLSTests {
        private func variables(_ pair: CertificateMaker.Pair) -> [String: String] {
            ["SUBGUARD_TLS_CERTIFICATE": pair.certificate, "SUBGUARD_TLS_KEY": pair.key]
        }

        private func connect(_ server: RunningServer) throws -> RawClient {
            let client = try RawClient(port: server.port, timeoutSeconds: 20)
            try client.secure()
            return client
        }

        private func copy(_ new: String, over old: String) throws {
            try Data(contentsOf: URL(fileURLWithPath: new)).write(to: URL(fileURLWithPath: old))
        }

        @Test func servesDrainsAndIsAskedForItsHealthByTLS() async throws {
            let installation = try Installation()
            let maker = try CertificateMaker()
            let variables = variables(try maker.make())
            let server = try await installation.serve(variables: variables)
            #expect(server.process.output.hasSuffix(" listening on https://127.0.0.1:\(server.port)\n"))
            let answer = try connect(server).exchange(RequestText.get("/readyz"))
            #expect(answer.status == 200)
            #expect(answer["Strict-Transport-Security"] == "max-age=31536000")
            let port = ["SUBGUARD_PORT": "\(server.port)"]
            #expect(
                try await installation.run("health", variables: variables.merging(port) { $1 }).ending == .exited(0))
            #expect(try await installation.run("health", variables: port).ending == .exited(1), "it asks without TLS")
            let halfSent = try connect(server)
            try halfSent.send("GET /healthz HTTP/1.1\r\n")
            _ = try halfSent.staysSilent(milliseconds: 100)
            server.process.send(signal: SIGTERM)
            _ = try halfSent.staysSilent(milliseconds: 100)
            try halfSent.send("Host: h\r\n\r\n")
            #expect(try halfSent.readResponse().status == 200)
            #expect(try await server.process.ending(withinSeconds: 40) == .exited(0))
        }

        @Test func takesANewCertificateOnHangUpAndKeepsTheOldWhenItIsBad() async throws {
            let installation = try Installation()
            let maker = try CertificateMaker()
            let (pair, next) = (try maker.make(name: "old.example"), try maker.make(.rsa, name: "new.example"))
            let server = try await installation.serve(variables: variables(pair))
            let open = try connect(server)
            let old = try #require(open.channel).certificate
            func presents(_ isWanted: ([UInt8]) -> Bool) async throws -> Bool {
                try await holds { isWanted(try #require(connect(server).channel).certificate) }
            }
            // A reload in the middle of a renewal may find the new certificate with the old key.
            try copy(next.certificate, over: pair.certificate)
            server.process.send(signal: SIGHUP)
            #expect(try await holds { server.process.errors.contains("certificate not reloaded") })
            #expect(server.process.errors.contains("SUBGUARD_TLS_KEY: \(pair.key) is not the key of"))
            #expect(try await presents { $0 == old })
            try copy(next.key, over: pair.key)
            server.process.send(signal: SIGHUP)
            #expect(try await presents { $0 != old })
            #expect(try await holds { server.process.errors.contains("certificate reloaded") })
            #expect(try open.exchange(RequestText.get("/healthz")).status == 200)
            #expect(try await server.stop() == .exited(0))
        }

        @Test func hangUpDoesNoHarmWithoutTLS() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            server.process.send(signal: SIGHUP)
            #expect(try await holds { server.process.errors.contains("nothing to reload") })
            #expect(try server.get("/healthz").status == 200)
            #expect(try await server.stop() == .exited(0))
        }

        @Test func sendsThoseWithoutTLSToThePortWithIt() async throws {
            let installation = try Installation()
            let maker = try CertificateMaker()
            let redirectPort = try unusedPort()
            let server = try await installation.serve(
                variables: variables(try maker.make()).merging(["SUBGUARD_HTTP_REDIRECT_PORT": "\(redirectPort)"]) {
                    $1
                })
            let answer = try RawClient.exchange(redirectPort, "GET /a?b=c HTTP/1.1\r\nHost: api.example:81\r\n\r\n")
            #expect(answer.status == 308)
            #expect(answer["Location"] == "https://api.example:\(server.port)/a?b=c")
            #expect(answer["Strict-Transport-Security"] == nil)
            let followed = try CertificateMaker.command(
                "curl", ["-ksSL", "http://127.0.0.1:\(redirectPort)/healthz"])
            #expect(followed.contains("\"ok\""))
            #expect(try await server.stop() == .exited(0))
            #expect(throws: RawClientError.self) { try RawClient(port: redirectPort) }
        }

        private func unusedPort() throws -> Int {
            let text = try CertificateMaker.command(
                "python3",
                ["-c", "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"])
            return try #require(Int(text.replacing("\n", with: "")))
        }

        @Test func saysInOneLineWhatIsWrongWithCertificateOrKey() async throws {
            let maker = try CertificateMaker()
            let (pair, other) = (try maker.make(), try maker.make())
            for (certificate, key, words) in [
                (pair.certificate, other.key, "SUBGUARD_TLS_KEY: \(other.key) is not the key of \(pair.certificate)"),
                (pair.certificate, "/nowhere", "SUBGUARD_TLS_KEY: /nowhere cannot be read: No such file or directory"),
                (pair.key, pair.key, "SUBGUARD_TLS_CERTIFICATE: \(pair.key) holds no PEM certificate"),
            ] {
                let installation = try Installation()
                let outcome = try await installation.run(
                    "serve",
                    variables: ["SUBGUARD_PORT": "0", "SUBGUARD_TLS_CERTIFICATE": certificate, "SUBGUARD_TLS_KEY": key])
                #expect(outcome.failed)
                #expect(outcome.errorLines.count == 1)
                #expect(outcome.errors.hasSuffix("\(words)\n"), "\(outcome.errors)")
            }
        }
    }
}
