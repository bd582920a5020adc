import Foundation
import JSONWire
import TestKit
import Testing

extension ProgramTests {
    @Suite struct LoadCommandTests {
        private let unlimited = ["SUBGUARD_RATE_LIMIT_ENABLED": "false", "SUBGUARD_LOG_LEVEL": "warning"]

        @Test func trafficOfTwoSecondsIsCountedAsItWasSent() async throws {
            let installation = try await Installation.migrated()
            let server = try await installation.serve(variables: unlimited)
            let json = installation.folder.file("load.json")
            let report = installation.folder.file("load.html")
            let outcome = try await installation.run(
                "--url", "http://127.0.0.1:\(server.port)", "--rate", "1500", "--duration", "2s",
                "--connections", "4", "--batch-sizes", "1:3,20:6,100:1", "--duplicates", "10",
                "--bad",
                "5", "--gzip", "20", "--profile", "mixed", "--threads", "2", "--json", json, "--report", report,
                // An overloaded server may refuse some; what it took is counted.
                "--refused", "100%",
                program: .load)
            #expect(outcome.ending == .exited(0), "\(outcome.output) \(outcome.errors)")
            // No progress line without a terminal.
            #expect(outcome.errors.isEmpty)
            let figures = try #require(
                try JSONValue.parse(Array(try Data(contentsOf: URL(fileURLWithPath: json)))).objectValue)
            let events = try #require(figures["events"]?.objectValue)
            let accepted = try #require(events["accepted"]?.objectValue?["server"]?.integerValue)
            #expect(accepted > 1_000)
            #expect(events["duplicates"]?.objectValue?["server"]?.integerValue ?? 0 > 100)
            #expect(events["rejected"]?.objectValue?["server"]?.integerValue ?? 0 > 50)
            #expect(try Int64(installation.eventIDs().count) == accepted)
            let page = try String(contentsOfFile: report, encoding: .utf8)
            #expect(page.hasSuffix("</html>\n"))
            try await server.stop()
        }

        @Test func theSameTrafficTwiceDisagrees() async throws {
            let installation = try await Installation.migrated()
            let server = try await installation.serve(variables: unlimited)
            let arguments = [
                "--url", "http://127.0.0.1:\(server.port)", "--request-rate", "40", "--duration", "500ms",
                "--batch-sizes", "5", "--seed", "77", "--warm-up", "0s",
            ]
            func load() async throws -> Installation.Outcome {
                let process = try installation.start(.load, arguments, variables: [:])
                let ending = try await process.ending()
                return .init(ending: ending, output: process.output, errors: process.errors)
            }
            #expect(try await load().ending == .exited(0))
            let second = try await load()
            #expect(second.ending == .exited(1))
            #expect(second.errors.contains("accepted 0, duplicates 5"))
            // 20 batches of 5, the same ones each time however fast the machine is.
            #expect(try installation.eventIDs().count == 100)
            try await server.stop()
        }

        @Test(
            arguments: [
                (["--rate", "0"], "--rate"), (["--rate", "many"], "--rate"),
                (["--batch-sizes", "5000"], "--batch-sizes"),
                (["--duration", "2"], "--duration"), (["--url", "ftp://127.0.0.1:1"], "--url"),
                (["--url", "http://192.0.2.1"], "--i-own-this-server"), (["--closed", "--rate", "5"], "--closed"),
                (["--p99", "5"], "--p99"), (["--p95", "0s"], "--p95"),
                (["--errors", "0.1"], "--errors"), (["--refused", "many"], "--refused"),
                (["--insecure"], "--insecure"),
                (["--ca-file", "/missing", "--url", "https://127.0.0.1:1"], "--ca-file"),
                (["--signing-key-file", "/missing"], "--signing-key-file"),
                (["--ramp", "--closed"], "--ramp"), (["--rate", "5", "--request-rate", "5"], "--request-rate"),
                (["--duplicates", "200"], "--duplicates"), (["--profile", "all"], "--profile"),
            ])
        func namesTheOptionThatIsWrong(_ options: [String], _ named: String) async throws {
            let installation = try Installation()
            let process = try installation.start(.load, options, variables: [:])
            #expect(try await process.ending() == .exited(2))
            #expect(process.errors.contains(named))
        }

        @Test func theServersProgramRunsTheOneBesideIt() async throws {
            let installation = try Installation()
            let help = try await installation.run("load", "--help")
            #expect(help.ending == .exited(0))
            #expect(help.output.contains("USAGE: subguard-load"))
            let outcome = try await installation.run("load", "--url", "http://127.0.0.1:1", "--rate", "-5é")
            #expect(outcome.errors.contains("--rate"), "arguments arrive as they are: \(outcome.errors)")
        }

        @Test func theServersProgramNamesTheOneThatIsMissing() async throws {
            let installation = try Installation()
            let alone = installation.folder.file("subguardd")
            try FileManager.default.copyItem(atPath: try Program.server.path(), toPath: alone)
            let process = Process()
            let errors = Pipe()
            process.executableURL = URL(fileURLWithPath: alone)
            process.arguments = ["load", "--rate", "5"]
            process.environment = [
                "PATH": "/usr/bin:/bin",
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
            ]
            process.standardError = errors
            try process.run()
            let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            #expect(said.hasPrefix("subguard-load, the load tester, is a program of its own"), "\(said)")
            #expect(said.contains("Scripts/build subguard-load"))
        }

        @Test func tellsWhenNobodyAnswers() async throws {
            let outcome = try await Installation().run("--url", "http://127.0.0.1:1", program: .load)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains("--url: nothing answers at 127.0.0.1:1"))
        }
    }
}
