package import ArgumentParser
import DeviceWords
import Foundation
import SubGuardClient
package import SubGuardDomain
package import SubGuardEngine

/// The context of one run of the program: the open database, the current moment, the language and the output.
package struct Session: DeviceOutput {
    package let store: DeviceStore
    package let moment: Moment
    package let language: DisplayLanguage
    package let isJSON: Bool
    let style: TerminalStyle
    /// The server address as given, not yet validated.
    let serverText: String?
    /// Signs event batches; nil without `SUBGUARD_SIGNING_KEY`.
    let signer: EventSigner?

    /// - Parameter replacesEmptied: opens a database that was lost as a new one.
    init(_ options: GlobalOptions, access: DeviceStore.Access = .full, replacesEmptied: Bool = false) throws {
        let invocation = Invocation.current
        let environment = invocation.environment
        isJSON = options.json
        serverText = options.server ?? environment["SUBGUARD_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
        signer = try Self.signer(environment)
        style = TerminalStyle(
            environment: environment, isTerminal: !options.json && invocation.isTerminal(STDOUT_FILENO))
        moment = options.moment
        store = try DeviceStore(
            path: options.store ?? Self.defaultPath(environment), access: access, replacesEmptied: replacesEmptied,
            now: moment.now,
            entitlement: try Self.flag("SUBGUARD_PREMIUM", environment).map { $0 ? .premium(until: nil) : .free },
            consent: try Self.flag("SUBGUARD_CONSENT", environment).map { $0 ? .granted : .revoked },
            starter: .builtIn)
        let chosen = try store.settings.language()
        invocation.chosenLanguage.language = chosen
        language = options.lang?.language ?? chosen ?? Self.language(environment)
    }

    /// Runs a command that only reads.
    static func read(
        _ options: GlobalOptions, access: DeviceStore.Access = .full, replacesEmptied: Bool = false,
        _ body: (Session) throws -> Void
    ) throws {
        let session = try Session(options, access: access, replacesEmptied: replacesEmptied)
        defer { try? session.store.close() }
        let running = access == .trial ? nil : session.beginSignals()
        defer { running?.end() }
        try body(session)
        session.noteOpening()
    }

    /// Runs a command that may contact a server.
    package static func online(_ options: GlobalOptions, _ body: (Session) async throws -> Void) async throws {
        let session = try Session(options)
        defer { try? session.store.close() }
        let running = session.beginSignals(isBackground: Invocation.current.commandName == "sync")
        defer { running?.end() }
        try await body(session)
        session.noteOpening()
    }

    /// Errors are ignored: what cannot be recorded must not fail a command. The name of the command is all that a crash
    /// report tells of it.
    private func beginSignals(isBackground: Bool = false) -> RunningSession? {
        try? store.signals.begin(
            version: SubGuard.version, name: Invocation.current.commandName ?? "",
            watchesFaults: Invocation.current.output == nil, isBackground: isBackground, at: moment)
    }

    /// Records that the program was used today. Called after a successful command only, so that a refused one changes
    /// nothing. Errors are ignored: a read-only database must not fail a command that reads.
    private func noteOpening() { try? store.analytics.recordOpening(at: moment) }

    /// Runs a command that writes, then makes the weekly backup when it is due. A failed backup prints a warning.
    ///
    /// - Parameter isDryRun: works on a temporary copy of the database and makes no backup.
    static func write(
        _ options: GlobalOptions, isDryRun: Bool = false, replacesEmptied: Bool = false,
        _ body: (Session) throws -> Void
    ) throws {
        if isDryRun {
            let session = try Session(options, access: .trial)
            defer { try? session.store.close() }
            return try body(session)
        }
        try read(options, replacesEmptied: replacesEmptied) { session in
            try body(session)
            do {
                _ = try session.store.backups.makeIfDue(at: session.moment)
            } catch {
                session.warn("the weekly backup failed: \(session.language.text(of: error))")
            }
        }
    }

    static func language(_ environment: [String: String]) -> DisplayLanguage {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        return locale?.lowercased().hasPrefix("fr") == true ? .french : .english
    }

    private static func defaultPath(_ environment: [String: String]) -> String {
        if let path = environment["SUBGUARD_STORE"], !path.isEmpty { return path }
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = data ?? home(environment) + "/.local/share"
        return folder + "/subguard/subguard.sqlite"
    }

    /// `HOME`, else the home directory of the password database. Foundation looks only there.
    private static func home(_ environment: [String: String]) -> String {
        environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    }

    private static func signer(_ environment: [String: String]) throws -> EventSigner? {
        guard let text = environment["SUBGUARD_SIGNING_KEY"], !text.isEmpty else { return nil }
        guard let signer = EventSigner(text) else {
            throw Fault("SUBGUARD_SIGNING_KEY", .invalidFormat, "Must be name:base64 with a secret of 16 to 64 bytes.")
        }
        return signer
    }

    /// Nil without the variable.
    private static func flag(_ variable: String, _ environment: [String: String]) throws(Fault) -> Bool? {
        switch environment[variable] {
        case nil, "": return nil
        case "true": return true
        case "false": return false
        default: throw Fault(variable, .invalidFormat, "Must be true or false.")
        }
    }

    /// The phrase in the language of the call.
    package func text(_ phrase: Sentence) -> String { phrase.text(language) }

    /// Prints a warning to standard error.
    func warn(_ warning: Sentence) { StandardStream.error(text("warning: \(text(warning))") + "\n") }

    /// `2027-01`, in French `janvier 2027`.
    func month(_ day: CalendarDay) -> String { day.monthName(language) }
}

/// A command that only reads.
package protocol ReadCommand: ParsableCommand {
    var options: GlobalOptions { get }

    func run(_ session: Session) throws
}

extension ReadCommand {
    package func run() throws { try Session.read(options) { try run($0) } }
}

/// A command that writes; the weekly backup follows when it is due.
protocol WriteCommand: ParsableCommand {
    var options: GlobalOptions { get }

    func run(_ session: Session) throws
}

extension WriteCommand {
    func run() throws { try Session.write(options) { try run($0) } }
}

/// A command that may contact a server.
protocol OnlineCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    func run(_ session: Session) async throws
}

extension OnlineCommand {
    func run() async throws { try await Session.online(options) { try await run($0) } }
}
