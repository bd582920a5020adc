import ArgumentParser
import Foundation
import Locking
import SubGuardDomain

/// One run of the program: what it was given, and where its output goes. ``SubGuard/run(with:)`` binds that of the
/// process; tests, which run commands within their own, bind others.
package struct Invocation: Sendable {
    @TaskLocal package static var current = Invocation()

    /// Without the name of the program.
    var arguments = Array(CommandLine.arguments.dropFirst())
    package var environment = ProcessInfo.processInfo.environment
    /// The commands of the group "Data" that are built with the app.
    var appCommands: [any ParsableCommand.Type] = []
    /// Takes the output in place of the standard streams; nil for them. There is no terminal then, and no input.
    var output: CapturedOutput?
    /// The language that the database asks for; nil before it is open. Refusals need it without a session.
    let chosenLanguage = ChosenLanguage()

    /// The name of the command, nil for none.
    var commandName: String? { arguments.first(where: SubGuard.commandNames.contains) }

    /// That of programs which this one starts: without the secrets that are meant for it alone.
    package var environmentOfOthers: [String: String] {
        let secrets = ["SUBGUARD_PASSPHRASE", "SUBGUARD_SIGNING_KEY", "SUBGUARD_SMTP_URL"]
        return environment.filter { !secrets.contains($0.key) }
    }

    /// Whether there is a person to ask.
    var canAsk: Bool { isTerminal(STDIN_FILENO) && isTerminal(STDOUT_FILENO) }

    func isTerminal(_ descriptor: Int32) -> Bool { output == nil && isatty(descriptor) == 1 }

    /// Everything from standard input.
    func input() throws -> [UInt8] {
        output == nil ? Array(try FileHandle.standardInput.readToEnd() ?? Data()) : []
    }

    final class ChosenLanguage: Sendable {
        private let value = Guarded<DisplayLanguage?>(nil)

        var language: DisplayLanguage? {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }
}

/// What a run wrote to standard output and to standard error.
final class CapturedOutput: Sendable {
    private let bytes = Guarded<(output: [UInt8], errors: [UInt8])>(([], []))

    var output: String { bytes.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var errors: String { bytes.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    func write(_ new: [UInt8], to descriptor: Int32) {
        bytes.withLock { bytes in
            if descriptor == STDOUT_FILENO { bytes.output += new } else { bytes.errors += new }
        }
    }
}
