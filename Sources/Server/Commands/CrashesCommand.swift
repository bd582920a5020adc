import ArgumentParser
import BackendHTTP
import Foundation
import ServerAccess
import SubGuardDomain
import Telemetry

struct CrashesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crashes", abstract: "Give crashes the names of functions.", subcommands: [Symbols.self])

    struct Symbols: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add, list and remove symbols.", subcommands: [Add.self, List.self, Remove.self])
    }
}

extension CrashesCommand.Symbols {
    /// Runs on the store of symbols.
    private static func with<Result>(
        _ options: ConfigurationOptions, _ body: (SymbolStore) throws -> Result
    ) throws -> Result {
        let store = try options.existingStore()
        defer { store.close() }
        return try body(SymbolStore(context: store.context))
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the symbols of an image: crashes of the app get names in place of offsets.",
            discussion: """
                A file holds what nm, llvm-nm or atos print for one image, or is a Breakpad symbol file. The lines of \
                'dwarfdump --uuid' may stand before those of nm:

                    (dwarfdump --uuid -arch arm64 App; nm -arch arm64 App) > App.symbols

                The symbols replace earlier ones of the same image. The server may run.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "The image's debug id, if the file does not have it.")
        var debugID: String?

        @Option(help: "The image's name, if the file does not have it.")
        var name: String?

        @Option(help: "The address at which the image begins in the file, such as 0x100000000.")
        var base: String?

        @Argument(help: "Files of symbols, one for each image; - for standard input.")
        var files: [String]

        func validate() throws {
            guard files.count == 1 || debugID == nil && name == nil && base == nil else {
                throw ValidationError("--debug-id, --name and --base are for one file")
            }
            if let debugID, DebugID.normalised(debugID) == nil {
                throw ValidationError("--debug-id must be 32 hexadecimal digits, with or without hyphens")
            }
            if base != nil, baseAddress == nil {
                throw ValidationError("--base must be 0x and up to 16 hexadecimal digits")
            }
        }

        private var baseAddress: UInt64? {
            base.flatMap { $0.hasPrefix("0x") ? UInt64($0.dropFirst(2), radix: 16) : nil }
        }

        func run() throws {
            var hasFailed = false
            try CrashesCommand.Symbols.with(options) { store in
                for file in files {
                    do {
                        try add(file, to: store)
                    } catch let error as BackendError {
                        printError("\(file): \(error)")
                        hasFailed = true
                    }
                }
            }
            if hasFailed { throw ExitCode.failure }
        }

        private func add(_ file: String, to store: SymbolStore) throws {
            let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
            guard let handle else {
                printError("\(file) cannot be read")
                throw ExitCode.failure
            }
            let choice = SymbolUpload.Choice(
                debugID: debugID.flatMap(DebugID.normalised), name: name, base: baseAddress)
            var upload = SymbolUpload(store, choice, by: .currentUser)
            do {
                while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
                    try upload.take(Array(piece)[...])
                }
                let outcome = try upload.finish()
                print(
                    "\(outcome.file.debugID) \(outcome.file.name): \(outcome.file.functionCount) functions"
                        + "\(outcome.isReplacement ? ", replaced" : ""); groups named \(outcome.named), "
                        + "merged \(outcome.merged)")
            } catch {
                upload.abandon()
                throw error
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the images that have symbols.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            try CrashesCommand.Symbols.with(options) { store in
                for file in try store.list() {
                    print(
                        TerminalText.value(
                            "\(file.debugID) \(file.name.isEmpty ? "-" : file.name) \(file.architecture ?? "-") "
                                + "\(file.format) \(file.functionCount) functions, \(file.uploadedAt.rfc3339) "
                                + "by \(file.uploadedBy)"))
                }
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the symbols of images: crashes show offsets again.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "Debug ids, as 'crashes symbols list' prints them.")
        var debugIDs: [String]

        func run() throws {
            var hasFailed = false
            try CrashesCommand.Symbols.with(options) { store in
                for text in debugIDs {
                    do {
                        guard let id = DebugID.normalised(text) else {
                            throw BackendError.notFound(what: "symbol file")
                        }
                        try store.remove(id, by: .currentUser)
                    } catch let error as BackendError {
                        printError("\(text): \(error)")
                        hasFailed = true
                    }
                }
            }
            if hasFailed { throw ExitCode.failure }
        }
    }
}
