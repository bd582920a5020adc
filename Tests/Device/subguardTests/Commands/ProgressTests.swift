import Foundation
import TestKit
import Testing

@Suite struct ProgressTests {
    /// Standard error of a command whose standard error is a terminal.
    private func errors(_ client: Client, _ arguments: String...) throws -> String {
        let terminal = try Terminal()
        let process = try client.process(arguments)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.program
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try terminal.text()
    }

    @Test func longWorkShowsABarOnATerminalAlone() throws {
        let (first, second) = (try Client(), try Client())
        let rows = (0..<600).map { "n\($0),1.00,EUR,monthly,2026-12-01" }
        let text = "name,amount,currency,cycle,next_billing_on\n" + rows.joined(separator: "\n")
        let list = try first.folder.write(text, to: "list.csv")
        let file = first.folder.file("backup.json")
        for (client, label, arguments) in [
            (first, "importing", ["import", "--format", "csv", list]), (first, "backing up", ["backup", file]),
            (second, "restoring", ["restore", file]), (second, "merging", ["merge", file]),
        ] {
            let terminal = try Terminal()
            let process = try client.process(arguments)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = terminal.program
            try process.run()
            process.waitUntilExit()
            let shown = try terminal.text()
            #expect(process.terminationStatus == 0)
            #expect(shown.contains("\r\(label) ") && shown.contains("█") && shown.contains("100 %"), "\(shown)")
            // The progress line is cleared at the end.
            #expect(shown.hasSuffix("\r\u{1B}[K"))
        }
        #expect(try errors(first, "backup", file, "--json").isEmpty)
        #expect(try errors(second, "merge", file, "--json").isEmpty)
        #expect(try first.run("backup", file).errors.isEmpty)
        #expect(try second.run("restore", file).errors.isEmpty)
    }
}
