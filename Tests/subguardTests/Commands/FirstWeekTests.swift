import Foundation
import TestKit
import Testing

/// Runs the lines of the first week in docs/engine.md in one shell, and compares what they print with what it says.
@Suite struct FirstWeekTests {
    private struct Line {
        let command: String
        var output: String = ""
    }

    private func lines() throws -> [Line] {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("docs/engine.md"), encoding: .utf8)
        var lines: [Line] = []
        var isInside = false
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isInside = line == "```console"
            } else if isInside, line.hasPrefix("$ ") {
                lines.append(Line(command: String(line.dropFirst(2))))
            } else if isInside, !lines.isEmpty {
                lines[lines.count - 1].output += line + "\n"
            }
        }
        return lines
    }

    @Test func thePageSaysWhatHappens() throws {
        let lines = try lines()
        #expect(lines.count > 12)
        let folder = try TemporaryFolder()
        let mark = "-- end of line --"
        let script = lines.map { "\($0.command)\necho '\(mark)'\n" }.joined()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-e", try folder.write(script, to: "week.sh")]
        process.currentDirectoryURL = folder.url
        process.environment = ["PATH": "\(Client.programs.path):/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let parts = output.components(separatedBy: mark + "\n")
        #expect(process.terminationStatus == 0, "\(parts.last ?? "")")
        for (line, printed) in zip(lines, parts) { #expect(printed == line.output, "\(line.command)") }
    }
}
