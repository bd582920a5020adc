import ArgumentParser
import BackendHTTP
import Foundation
import ServerAccess
import ServerContract
import SubGuardContract

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Verify or export the audit log.", subcommands: [Verify.self, Export.self])

    struct Export: StoreCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every row as a JSON line, oldest first.")

        @OptionGroup var options: ConfigurationOptions

        func run(_ store: OpenStore) throws {
            try AuditLog(context: store.context).forEach { entry in
                FileHandle.standardOutput.write(Data(entry.json(capacity: 1024) + [UInt8(ascii: "\n")]))
            }
        }
    }

    struct Verify: StoreCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recompute the hash chain and name the first row that does not match.")

        @OptionGroup var options: ConfigurationOptions

        func run(_ store: OpenStore) throws {
            let result = try AuditLog(context: store.context).verify()
            guard let broken = result.firstBroken else { return print("\(result.count) rows, chain intact") }
            printError("audit chain broken at row \(broken.sequence): \(Self.words(for: broken.reason))")
            throw ExitCode.failure
        }

        private static func words(for reason: AuditVerification.Break.Reason) -> String {
            switch reason {
            case .altered: "the row or its hash was changed"
            case .missing: "the row is missing"
            case .malformed: "the row has a format that this program never writes"
            case .headDiffers: "rows are missing at the end"
            }
        }
    }
}
