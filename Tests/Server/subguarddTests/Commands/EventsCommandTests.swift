import EventLog
import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

extension ProgramTests {
    struct EventsCommandTests {
        /// An installation with some events, each in a block of its own.
        private func installation(count: Int = 25) async throws -> Installation {
            let installation = try await Installation.migrated()
            let server = try await installation.serve()
            let now = UTCInstant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000))
            for number in 100..<100 + count {
                let event = """
                    {"id": "00000000-0000-7000-8000-000000000\(number)", "name": "app_opened",
                    "user_id": "\(String(repeating: "0", count: 61))\(number)", "timestamp": "\(now.rfc3339)",
                    "properties": {"platform": "web, \\"x\\""}}
                    """
                let answer = try RawClient.exchange(
                    server.port, RequestText.post("/api/v1/analytics", Array("[\(event)]".utf8)))
                #expect(answer.status == 202)
            }
            #expect(try await server.stop() == .exited(0))
            return installation
        }

        private func export(_ installation: Installation, _ arguments: String...) async throws -> Installation.Outcome {
            let process = try installation.start(.server, ["events", "export"] + arguments, variables: [:])
            let ending = try await process.ending(withinSeconds: 60)
            return Installation.Outcome(ending: ending, output: process.output, errors: process.errors)
        }

        @Test func printsEveryEventAndWhereToGoOn() async throws {
            let installation = try await installation()
            let all = try await export(installation)
            #expect(all.succeeded && all.outputLines.count == 25)
            let last = try #require(all.outputLines.last.flatMap { try JSONValue.parse(Array($0.utf8)).objectValue })
            let position = "\(last["block"]?.integerValue ?? 0),\(last["id"]?.stringValue ?? "")"
            #expect(all.errors == "exported 25 events; what arrives later: --after \(position)\n")
            let later = try await export(installation, "--after", position)
            #expect(later.succeeded && later.output.isEmpty)
            let table = try await export(installation, "--format", "csv", "--from", "2024-02-29", "--to", "2100-01-01")
            #expect(table.output.split(separator: "\r\n").count == 26)
            let audit = try await installation.run("audit", "export")
            #expect(audit.outputLines.count { $0.contains(#""action":"events.export""#) } == 3)
            #expect(audit.outputLines.last?.contains("(command line)") == true)
        }

        /// The file is cut after each of its bytes in turn (a sample of them), as by a kill or a full disk.
        @Test(arguments: ["ndjson", "csv"])
        func goesOnWithAnInterruptedFile(_ format: String) async throws {
            let installation = try await installation(count: 3)
            let path = installation.folder.file("events.\(format)")
            let first = try await export(installation, "--format", format, "--output", path)
            #expect(first.succeeded && first.output.isEmpty)
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let lineEnds = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
            #expect(lineEnds.count == (format == "csv" ? 4 : 3))
            let cuts = [
                0, 1, 20, lineEnds[0], lineEnds[0] + 1, lineEnds[1] - 1, lineEnds[1] + 1, whole.count - 1, whole.count,
            ]
            for cut in cuts {
                try whole.prefix(cut).write(to: URL(fileURLWithPath: path))
                let outcome = try await export(installation, "--format", format, "--output", path, "--resume")
                #expect(outcome.succeeded, "\(cut): \(outcome.errors)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole, "cut at \(cut)")
            }
            try FileManager.default.removeItem(atPath: path)
            let again = try await export(installation, "--format", format, "--output", path, "--resume")
            #expect(again.succeeded)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole)
        }

        @Test func leavesOtherFilesAlone() async throws {
            let installation = try await installation(count: 1)
            let path = try installation.folder.write("diary\nMonday: é", to: "diary.txt")
            for arguments in [["--output", path], ["--output", path, "--resume"]] {
                for format in ["ndjson", "csv"] {
                    let process = try installation.start(
                        .server, ["events", "export", "--format", format] + arguments, variables: [:])
                    #expect(try await process.ending(withinSeconds: 60) == .exited(1))
                    #expect(process.errors.contains(path), "\(process.errors)")
                    #expect(try String(contentsOfFile: path, encoding: .utf8) == "diary\nMonday: é")
                }
            }
            // Nor is an export changed that another user put there, or can write to.
            let mine = installation.folder.file("mine.csv")
            #expect(try await export(installation, "--format", "csv", "--output", mine).succeeded)
            let cut = try Data(contentsOf: URL(fileURLWithPath: mine)).dropLast()
            try cut.write(to: URL(fileURLWithPath: mine))
            let link = installation.folder.file("link.csv")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: mine)
            for (path, mode) in [(link, 0o600), (mine, 0o660)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: mine)
                let outcome = try await export(installation, "--format", "csv", "--output", path, "--resume")
                #expect(!outcome.succeeded && outcome.errors.contains("nothing was changed"), "\(outcome)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: mine)) == cut)
            }
            let elsewhere = try await export(installation, "--output", installation.folder.file("none/events.csv"))
            #expect(elsewhere.ending == .exited(1) && elsewhere.errors.contains("none/events.csv"))
        }

        @Test func namesTheOptionThatIsWrong() async throws {
            let installation = try await Installation.migrated()
            for (arguments, option) in [
                (["--from", "2026-02-29"], "--from"), (["--to", "tomorrow"], "--to"),
                (["--format", "parquet"], "--format"),
                (["--from", "2026-11-20", "--to", "2026-11-20"], "--to"), (["--after", "7"], "--after"),
                (["--resume"], "--output"), (["--after", "1,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"], "after"),
            ] {
                let process = try installation.start(.server, ["events", "export"] + arguments, variables: [:])
                let ending = try await process.ending(withinSeconds: 60)
                let isUnknown = option == "after"
                #expect(ending == .exited(isUnknown ? 0 : 64), "\(arguments): \(process.errors)")
                #expect(process.errors.contains(option))
            }
        }
    }
}
