import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    /// The consent prompt of the first synchronisation, on a pseudo-terminal.
    @Suite struct ConsentPromptTests {
        private func sync(_ device: Client, typing text: String, _ more: String = "") throws -> String {
            let process = try device.process([])
            let command = "\(Client.programs.path)/subguard sync --store \(device.store) --lang en \(more)"
            process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
            process.arguments = ["-qec", command, "/dev/null"]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = output
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try input.fileHandleForWriting.close()
            let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return printed
        }

        @Test(arguments: [("y\n", "granted"), ("n\n", "revoked"), ("\n", "undecided")])
        func isAskedAndKept(_ typed: String, _ answer: String) throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address])
            #expect(try sync(device, typing: typed).contains("anonymous usage events"))
            #expect(try device.json("consent")["consent"]?.stringValue == answer)
            // After an answer there is no further prompt.
            #expect(try sync(device, typing: "y\n").contains("anonymous usage events") == (answer == "undecided"))
        }

        @Test func isNotAskedWhereADocumentIsWanted() throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address])
            #expect(try !sync(device, typing: "y\n", "--json").contains("anonymous usage events"))
            #expect(try device.json("consent")["consent"]?.stringValue == "undecided")
        }
    }
}
