import Foundation
import JSONWire
import TestKit
import Testing

extension ProgramTests {
    /// Flags of subguard-load against a real server, and how its runs pass and fail.
    @Suite struct LoadFlagTests {
        private let unlimited = ["SUBGUARD_RATE_LIMIT_ENABLED": "false", "SUBGUARD_LOG_LEVEL": "warning"]
        private let brief = ["--duration", "600ms", "--warm-up", "0s", "--request-rate", "50", "--batch-sizes", "3"]

        private func load(_ installation: Installation, _ arguments: [String]) async throws -> Installation.Outcome {
            let process = try installation.start(.load, arguments + brief, variables: [:])
            let ending = try await process.ending()
            return .init(ending: ending, output: process.output, errors: process.errors)
        }

        private func figures(_ path: String) throws -> JSONObject {
            try #require(try JSONValue.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).objectValue)
        }

        @Test func loadsByHTTPSOnlyWhatItTrusts() async throws {
            let installation = try await Installation.migrated()
            let maker = try CertificateMaker()
            defer { withExtendedLifetime(maker) {} }
            let pair = try maker.make()
            let server = try await installation.serve(
                variables: unlimited.merging(
                    ["SUBGUARD_TLS_CERTIFICATE": pair.certificate, "SUBGUARD_TLS_KEY": pair.key]) { $1 })
            let url = ["--url", "https://localhost:\(server.port)"]
            let trusted = try await load(installation, url + ["--ca-file", pair.certificate, "--profile", "mixed"])
            #expect(trusted.ending == .exited(0), "\(trusted.errors)")
            #expect(try installation.eventIDs().count == 45)
            let refused = try await load(installation, url)
            #expect(refused.ending == .exited(1))
            #expect(refused.errors.contains("the certificate of localhost:\(server.port) is not trusted"))
            #expect(refused.errors.contains("--ca-file"))
            #expect(try await load(installation, url + ["--insecure"]).ending == .exited(0))
            #expect(try installation.eventIDs().count == 45 + 90)
            let devices = try installation.start(
                .load,
                url + ["--ca-file", pair.certificate, "--devices", "20", "--days", "2", "--duration", "1s"],
                variables: [:])
            #expect(try await devices.ending() == .exited(0), "\(devices.errors)")
            try await server.stop()

            let wrong = try maker.make(name: "other.example")
            let other = try await installation.serve(
                variables: ["SUBGUARD_TLS_CERTIFICATE": wrong.certificate, "SUBGUARD_TLS_KEY": wrong.key])
            let mistaken = try await load(
                installation, ["--url", "https://localhost:\(other.port)", "--ca-file", wrong.certificate])
            #expect(mistaken.ending == .exited(1))
            #expect(mistaken.errors.contains("is not trusted (hostname mismatch)"), "\(mistaken.errors)")
            try await other.stop()
        }

        @Test func signsBatchesForAServerThatRequiresIt() async throws {
            let installation = try await Installation.migrated()
            let server = try await installation.serve(
                variables: unlimited.merging([
                    "SUBGUARD_INGEST_SIGNATURES": "require",
                    "SUBGUARD_INGEST_SIGNING_KEYS": "ios-1.4:AAECAwQFBgcICQoLDA0ODw==",
                ]) { $1 })
            let url = ["--url", "http://127.0.0.1:\(server.port)"]
            let file = try installation.folder.write("ios-1.4:AAECAwQFBgcICQoLDA0ODw==\n", to: "key")
            let signed = try await load(installation, url + ["--signing-key-file", file, "--gzip", "50"])
            #expect(signed.ending == .exited(0), "\(signed.errors)")
            #expect(try installation.eventIDs().count == 90)
            let unsigned = try await load(installation, url)
            #expect(unsigned.ending == .exited(1))
            #expect(unsigned.errors == "no request succeeded\n--refused: more than 0: 401: 30\n")
            let allowed = try await load(installation, url + ["--refused", "100%"])
            #expect(allowed.errors == "no request succeeded\n")
            try await server.stop()
        }

        @Test func loadsSeveralServersAndReportsTheCostOfOne() async throws {
            let installation = try await Installation.migrated()
            let other = try await Installation.migrated()
            let (one, two) = (
                try await installation.serve(variables: unlimited), try await other.serve(variables: unlimited)
            )
            let json = installation.folder.file("load.json")
            let outcome = try await load(
                installation,
                [
                    "--url", "http://127.0.0.1:\(one.port)", "--url", "http://127.0.0.1:\(two.port)", "--json", json,
                    "--server-pid", "\(one.process.id)", "--server-store", installation.storePath,
                ])
            #expect(outcome.ending == .exited(0), "\(outcome.errors)")
            let counts = [try installation.eventIDs().count, try other.eventIDs().count]
            #expect(counts[0] + counts[1] == 90)
            #expect(counts.allSatisfy { $0 >= 30 }, "\(counts)")
            let used = try #require(try figures(json)["server"]?.objectValue)
            #expect(["processor_seconds", "cores", "store_bytes"].allSatisfy { used[$0]?.isNull == false }, "\(used)")
            #expect(outcome.output.contains("\n  server "))
            #expect(outcome.output.contains("\n  its store "))
            // Known before anything is sent.
            for (option, value) in [
                ("--server-pid", "999999999"), ("--server-store", "/no/such.sqlite"), ("--json", "/no/such/x.json"),
                ("--report", "/no/such/x.html"),
            ] {
                let refused = try await load(installation, ["--url", "http://127.0.0.1:1", option, value])
                #expect(refused.ending == .exited(2), "\(option)")
                #expect(refused.errors.contains("\(option): "), "\(refused.errors)")
            }
            try await one.stop()
            try await two.stop()
        }

        @Test func passesAndFailsByItsBounds() async throws {
            let installation = try await Installation.migrated()
            let server = try await installation.serve(variables: unlimited)
            let url = ["--url", "http://127.0.0.1:\(server.port)"]
            let kept = try await load(installation, url + ["--p95", "9s", "--p99", "9.5s", "--errors", "0.1%"])
            #expect(kept.ending == .exited(0), "\(kept.errors)")
            let missed = try await load(installation, url + ["--p95", "1us", "--p99", "2us"])
            #expect(missed.ending == .exited(1))
            #expect(missed.errorLines.map { $0.prefix(6) } == ["--p95:", "--p99:"])
            let reads = try await load(installation, url + ["--profile", "catalogue", "--p99", "1us"])
            #expect(reads.errors.hasPrefix("--p99: "), "\(reads.errors)")
            try await server.stop()
        }

        @Test func anInterruptKeepsTheFiguresAndFails() async throws {
            let installation = try await Installation.migrated()
            let server = try await installation.serve(variables: unlimited)
            let json = installation.folder.file("load.json")
            let process = try installation.start(
                .load,
                ["--url", "http://127.0.0.1:\(server.port)", "--warm-up", "0s", "--batch-sizes", "5", "--json", json],
                variables: [:])
            #expect(try await holds { try installation.eventIDs().count > 50 })
            process.send(signal: SIGINT)
            #expect(try await process.ending(withinSeconds: 15) == .exited(1))
            #expect(process.errors == "interrupted: the run was stopped early\n")
            let figures = try figures(json)
            #expect(figures["failure"]?.stringValue == "interrupted: the run was stopped early")
            #expect(figures["series"]?.objectValue?["slices"]?.arrayValue?.isEmpty == false)
            try await server.stop()
        }

        /// What a program sees that gives no option but the server.
        @Test func theDefaultsAreThirtySecondsAThousandEventsASecondAndAWarmUp() async throws {
            let help = try await Installation().run("--help", program: .load)
            let words = help.output.split { $0.isWhitespace }.joined(separator: " ")
            for text in [
                "Events a second. (default: 1000)", "(default: 30s; 2s a day)", "a tenth of --duration, at most 3s",
            ] {
                #expect(words.contains(text), "\(text)")
            }
        }
    }
}
