import Foundation
import TestKit
import Testing

/// A section of a documentation page whose console lines run in one shell. What they print is compared with the page.
struct ConsolePage {
    struct Line {
        /// One command; `> ` at the start of a page's line continues it.
        var command: String
        var output: String = ""
    }

    let lines: [Line]

    /// - Parameter section: the title of the `##` heading above the lines.
    init(_ path: String, section: String) throws {
        let page = try RepositoryFile.text(path)
        var lines: [Line] = []
        var isInSection = false
        var isInside = false
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("## ") { isInSection = line == "## \(section)" }
            guard isInSection else { continue }
            if line.hasPrefix("```") {
                isInside = line == "```console"
            } else if isInside, line.hasPrefix("$ ") {
                lines.append(Line(command: String(line.dropFirst(2))))
            } else if isInside, line.hasPrefix("> "), lines.last?.output.isEmpty == true {
                lines[lines.count - 1].command += "\n" + line.dropFirst(2)
            } else if isInside, !lines.isEmpty {
                lines[lines.count - 1].output += line + "\n"
            }
        }
        self.lines = lines
    }

    /// - Parameter port: the port of the server, which replaces the page's 8080, as the folder replaces `/home/anna`.
    func expectToHold(port: Int = 8080) throws {
        let folder = try TemporaryFolder()
        let here = { (text: String) in
            text.replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)").replacing("/home/anna", with: folder.path)
        }
        let mark = "-- end of line --"
        let script = lines.map { "\(here($0.command))\necho '\(mark)'\n" }.joined()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-e", try folder.write(script, to: "page.sh")]
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
        for (line, printed) in zip(lines, parts) { #expect(printed == here(line.output), "\(line.command)") }
    }
}
