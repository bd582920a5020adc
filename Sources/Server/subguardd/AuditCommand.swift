import ArgumentParser
import Backend
import BackendHTTP
import Foundation
import JSONWire

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "The record of every change.", subcommands: [Verify.self, Export.self])

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every row as JSON lines on standard output, oldest first.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            try AuditLog(context: store.context).forEach { entry in
                var writer = JSONWriter(capacity: 1024)
                entry.write(to: &writer)
                FileHandle.standardOutput.write(Data(writer.bytes + [UInt8(ascii: "\n")]))
            }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recomputes the chain of hashes and names the first row that does not fit.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            let result = try AuditLog(context: store.context).verify()
            guard let broken = result.firstBroken else { return print("\(result.count) rows, chain intact") }
            printError("audit chain broken at row \(broken.sequence): \(Self.words(for: broken.reason))")
            throw ExitCode.failure
        }

        private static func words(for reason: AuditVerification.Break.Reason) -> String {
            switch reason {
            case .altered: "the row, or its hash, was edited"
            case .missing: "the row is missing"
            case .malformed: "the row holds what this program never writes"
            case .headDiffers: "rows were cut off at the end"
            }
        }
    }
}
