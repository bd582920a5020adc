import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct OutputTests {
    /// Ends with an error message, not with a signal.
    @Test(arguments: [">/dev/full", ">&-"], ["list", "list --json", "export --format json"])
    func outputThatCannotBeWrittenIsTold(_ redirection: String, _ arguments: String) throws {
        let client = try Client()
        _ = try client.add()
        let process = try client.process([])
        let program = try #require(process.executableURL).path
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\"$0\" \(arguments) --store \"$1\" \(redirection)", program, client.store]
        let errors = try client.folder.write("", to: "errors")
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        let text = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
        #expect(text.hasPrefix("error: cannot write the output: "), "\(text)")
        #expect(try client.json("list").each("name") == ["Netflix"])
    }

    @Test(arguments: [["list", "--limit"], ["nonsense"], ["add", "--cycle", "often"], ["people", "add"]])
    func wrongCallsAreADocumentToo(_ arguments: [String]) throws {
        let outcome = try Client().run(["--json"] + arguments)
        #expect(outcome.status == 64 && !outcome.errors.isEmpty)
        let error = try JSONValue.parse(Array(outcome.output.utf8))["error"]
        #expect(error?["code"] == .string("usage") && error?["detail"]?.stringValue?.isEmpty == false)
    }

    @Test(arguments: [
        (["lst"], "Unknown command 'lst'. Did you mean 'list'?"), (["nonsense"], "Unknown command 'nonsense'"),
        (["--lang", "fr", "budgets", "list"], "commande inconnue : budgets ; voulais-tu dire budget ?"),
        (["list", "nonsense"], "Unexpected argument 'nonsense'"),
    ])
    func namesTheCommandThatWasMeant(_ arguments: [String], _ text: String) throws {
        let outcome = try Client().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func globalFlagsStandAnywhere() throws {
        let client = try Client()
        _ = try client.id("people", "add", "--name", "Zoé")
        for arguments in [
            ["--json", "people", "list"], ["people", "--json", "list"], ["people", "list", "--json"],
            ["--lang", "fr", "people", "--json", "--zone=Asia/Tokyo", "list"],
        ] {
            let outcome = try client.run(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            #expect(try JSONValue.parse(Array(outcome.output.utf8)).each("name") == ["Zoé"])
        }
    }
}
