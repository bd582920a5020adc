import Foundation
import TestKit
import Testing

extension ProgramTests {
    /// Runs every shell line of docs/administration.md against a new server, and compares the output.
    @Suite struct AdminTourTests {
        @Test func everyLineOfTheTourDoesWhatThePageSays() async throws {
            let page = TourPage(try RepositoryFile.text("docs/administration.md"))
            #expect(page.steps.count > 20)
            let installation = try Installation()
            try FileManager.default.createSymbolicLink(
                atPath: installation.folder.file("Config"),
                withDestinationPath: RepositoryFile.url("Config").path)
            // The first step creates the database; from the second on, the page assumes a running server.
            let first = try #require(page.steps.first)
            let shell = try TourShell(installation)
            try expect(shell.run(first.code, port: 0), first)
            let server = try await installation.serve()
            for step in page.steps.dropFirst() { try expect(shell.run(step.code, port: server.port), step) }
            shell.end()
            #expect(try await server.stop() == .exited(0))
        }

        private func expect(_ output: String, _ step: TourPage.Step) throws {
            guard let expected = step.output else {
                #expect(output.isEmpty, "\(step.code)\nprints\n\(output)")
                return
            }
            #expect(TourPage.agrees(output, with: expected), "\(step.code)\nprints\n\(output)\nand not\n\(expected)")
        }

        /// The comparison can fail.
        @Test func seesAnAnswerThatDiffers() {
            #expect(TourPage.agrees("a\n  b 12:34 c", with: "a\nb … c"))
            #expect(TourPage.agrees("x12.34y", with: "x…"))
            for other in ["ab 12:34 d", "ab c", "xab 12:34 c", "ab 12:34 c."] {
                #expect(!TourPage.agrees(other, with: "a\nb … c"), "\(other)")
            }
        }
    }
}

/// One shell for all steps, so that variables persist.
private final class TourShell {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var number = 0

    init(_ installation: Installation) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.currentDirectoryURL = URL(fileURLWithPath: installation.folder.path)
        let binary = URL(fileURLWithPath: try Program.server.path()).deletingLastPathComponent().path
        process.environment = [
            "PATH": "\(binary):/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "SUBGUARD_DATABASE_URL": "sqlite:\(installation.storePath)",
            "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    /// The output on stdout and stderr.
    func run(_ code: String, port: Int) throws -> String {
        number += 1
        let mark = "\n@@ end of step \(number) @@\n"
        let lines = code.replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)")
        let script = "\(lines)\nprintf '%s' '\(mark)'\n"
        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        var bytes = Data()
        while bytes.range(of: Data(mark.utf8)) == nil {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self).replacing(mark, with: "")
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
