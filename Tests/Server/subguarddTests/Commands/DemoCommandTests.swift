import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

extension ProgramTests {
    struct DemoCommandTests {
        private static let devices = 40

        private func start(
            _ installation: Installation, folder: String, port: Int, _ more: String...
        ) throws -> ChildProcess {
            // The settings of a real server must not reach the demo.
            let real = ["SUBGUARD_PORT": "1", "SUBGUARD_TLS_KEY": "missing.pem", "SUBGUARD_LOG_LEVEL": "nonsense"]
            return try installation.start(
                .server,
                [
                    "demo", "--folder", folder, "--port", "\(port)", "--devices", "\(Self.devices)", "--weeks", "3",
                    "--catalogue", StarterCatalogue.path,
                ] + more, variables: real)
        }

        private func waitForLink(_ demo: ChildProcess) async throws {
            let isThere = try await holds(withinSeconds: 60) {
                demo.output.contains("/console/link/") || demo.hasEnded
            }
            #expect(isThere && !demo.hasEnded, "\(demo.output) \(demo.errors)")
        }

        private func count(_ table: String, in folder: String) throws -> Int64? {
            let store = try SQLiteStore(path: "\(folder)/subguard.sqlite")
            defer { try? store.close() }
            return try store.read { try $0.first("SELECT count(*) FROM \(table)") { try $0.integer(0) } }
        }

        @Test func servesWhatItPromisesKeepsItAndIsRemoved() async throws {
            let installation = try Installation()
            let folder = installation.folder.file("démo “one”")
            let port = try FreePort.find()
            let first = try start(installation, folder: folder, port: port)
            try await waitForLink(first)
            #expect(first.output.contains("http://127.0.0.1:\(port)/console/link/"))
            #expect(!first.errors.contains("rate limit"))
            // Another server on the port does not get the demo's token.
            let other = try start(installation, folder: installation.folder.file("other"), port: port)
            #expect(try await other.ending() == .exited(1))
            #expect(other.errors.contains("taken by another server"))
            for (table, rows) in [
                ("suggestions", 12), ("crash_groups", 4), ("crash_releases", 2), ("alert_rules", 1 as Int64),
                ("catalogue_items WHERE logo_url IS NOT NULL", 40),
            ] {
                #expect(try count(table, in: folder) == rows, "\(table)")
            }
            let second = try start(installation, folder: folder, port: port, "--remove")
            #expect(try await second.ending() == .exited(1))
            #expect(second.errors.contains("is running"))
            first.send(signal: SIGTERM)
            #expect(try await first.ending() == .exited(0))

            let again = try start(installation, folder: folder, port: port)
            try await waitForLink(again)
            #expect(try count("access_tokens", in: folder) == 1)
            again.send(signal: SIGINT)
            #expect(try await again.ending() == .exited(0))
            let removed = try start(installation, folder: folder, port: port, "--remove")
            #expect(try await removed.ending() == .exited(0))
            #expect(!FileManager.default.fileExists(atPath: folder))
        }

        @Test func refusesFoldersOfOthersAndServersWithoutAToken() async throws {
            let installation = try Installation()
            let folder = installation.folder.file("mine")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let file = try installation.folder.write("mine", to: "mine/file")
            for arguments in [["demo", "--folder", folder], ["demo", "--folder", folder, "--remove"]] {
                let demo = try installation.start(.server, arguments, variables: [:])
                #expect(try await demo.ending() == .exited(1))
                #expect(demo.errors.contains("is not the folder of a demo"))
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            // A folder to which others may write is not a demo's, regardless of who put the mark there.
            let open = installation.folder.file("open")
            try FileManager.default.createDirectory(atPath: open + "/kept", withIntermediateDirectories: true)
            let kept = try installation.folder.write("kept", to: "open/kept/file")
            try installation.folder.write("", to: "open/.subguard-demo")
            for (mode, ending, isLeft) in [(0o777, 1, true), (0o700, 0, false)] as [(mode_t, Int32, Bool)] {
                try #require(chmod(open, mode) == 0)
                let demo = try installation.start(.server, ["demo", "--folder", open, "--remove"], variables: [:])
                #expect(try await demo.ending() == .exited(ending))
                #expect(FileManager.default.fileExists(atPath: kept) == isLeft)
            }
            #expect(!FileManager.default.fileExists(atPath: open))
            let into = try await installation.run("demo", "--into", "http://127.0.0.1:9")
            #expect(into.failed && into.errors.contains("--into needs SUBGUARD_TOKEN"))
            let both = try await installation.run("demo", "--into", "http://127.0.0.1:9", "--remove")
            #expect(both.ending == .exited(64))
        }
    }
}
