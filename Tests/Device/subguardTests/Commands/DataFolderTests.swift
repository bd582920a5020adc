import Foundation
import JSONWire
import TestKit
import Testing

@testable import DeviceCommands

/// Where the database is without `--store`.
@Suite struct DataFolderTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func database(_ environment: [String: String]) throws -> String? {
        var invocation = Invocation()
        invocation.arguments = ["status", "--json"]
        invocation.environment = environment
        let captured = CapturedOutput()
        invocation.output = captured
        let status = CommandThread.run { [invocation] in
            await Invocation.$current.withValue(invocation) { await SubGuard.run() }
        }
        #expect(status == 0, "\(captured.errors)")
        return try JSONValue.parse(Array(captured.output.utf8))["database"]?.stringValue
    }

    /// Two users of one account, such as two services, do not share a database by accident.
    @Test func everyHomeHasItsOwn() throws {
        for name in ["first", "second with ’spaces"] {
            let home = scratch.file(name)
            #expect(try database(["HOME": home]) == home + "/.local/share/subguard/subguard.sqlite")
            #expect(FileManager.default.fileExists(atPath: home + "/.local/share/subguard/subguard.sqlite"))
        }
    }

    @Test func theDataFolderComesBeforeTheHome() throws {
        let (home, data) = (scratch.file("home"), scratch.file("data"))
        #expect(try database(["HOME": home, "XDG_DATA_HOME": data]) == data + "/subguard/subguard.sqlite")
        // Relative paths are to be ignored (XDG Base Directory Specification).
        let relative = try database(["HOME": home, "XDG_DATA_HOME": "data"])
        #expect(relative == home + "/.local/share/subguard/subguard.sqlite")
        let own = scratch.file("own.sqlite")
        #expect(try database(["HOME": home, "XDG_DATA_HOME": data, "SUBGUARD_STORE": own]) == own)
    }
}
