import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// What one call of the program works with: the open store, the moment, the language and the output.
struct Session {
    let store: DeviceStore
    let moment: Moment
    let language: DisplayLanguage
    let isJSON: Bool
    let style: TerminalStyle
    /// The server that was named, not yet checked.
    let serverText: String?
    /// Signs what is reported, when `SUBGUARD_SIGNING_KEY` holds a key.
    let signer: EventSigner?

    init(_ options: GlobalOptions, access: DeviceStore.Access = .full) throws {
        let environment = ProcessInfo.processInfo.environment
        language = options.lang?.language ?? Self.language(environment)
        isJSON = options.json
        serverText = options.server ?? environment["SUBGUARD_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
        signer = try Self.signer(environment, language)
        style = TerminalStyle(environment: environment, isTerminal: !options.json && isatty(STDOUT_FILENO) == 1)
        let now =
            options.now?.instant
            ?? UTCInstant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
        moment = Moment(now: now, zone: options.zone?.zone ?? .current)
        store = try DeviceStore(
            path: options.store ?? Self.defaultPath(environment), access: access, now: now,
            entitlement: try Self.entitlement(environment, language),
            consent: try Self.consent(environment, language))
    }

    /// Runs a command that only reads.
    static func read(
        _ options: GlobalOptions, access: DeviceStore.Access = .full, _ body: (Session) throws -> Void
    ) throws {
        let session = try Session(options, access: access)
        defer { try? session.store.close() }
        try body(session)
        session.noteOpening()
    }

    /// Runs a command that may talk to a server.
    static func online(_ options: GlobalOptions, _ body: (Session) async throws -> Void) async throws {
        let session = try Session(options)
        defer { try? session.store.close() }
        try await body(session)
        session.noteOpening()
    }

    /// A day on which any command was obeyed is a day on which the program was opened. A refused one leaves the store as
    /// it was, and a store that cannot be written is no reason to fail.
    private func noteOpening() { try? store.analytics.recordOpening(at: moment) }

    /// Runs a command that writes, and then the weekly backup when it is due. That one never fails the command.
    ///
    /// - Parameter isDryRun: nothing is to be written after all: it works on a copy of the store, and makes no backup.
    static func write(_ options: GlobalOptions, isDryRun: Bool = false, _ body: (Session) throws -> Void) throws {
        if isDryRun {
            let session = try Session(options, access: .trial)
            defer { try? session.store.close() }
            return try body(session)
        }
        try read(options) { session in
            try body(session)
            do {
                _ = try session.store.backups.makeIfDue(at: session.moment)
            } catch {
                StandardStream.error("warning: the weekly backup failed: \(error)\n")
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
        return (data ?? NSHomeDirectory() + "/.local/share") + "/subguard/subguard.sqlite"
    }

    private static func signer(
        _ environment: [String: String], _ language: DisplayLanguage
    ) throws -> EventSigner? {
        guard let text = environment["SUBGUARD_SIGNING_KEY"], !text.isEmpty else { return nil }
        guard let signer = EventSigner(text) else {
            throw DeviceStoreError.invalid(
                Fault(
                    "SUBGUARD_SIGNING_KEY", .invalidFormat,
                    language == .french
                        ? "doit être nom:base64, avec un secret de 16 à 64 octets"
                        : "Must be name:base64 with a secret of 16 to 64 bytes."))
        }
        return signer
    }

    private static func consent(
        _ environment: [String: String], _ language: DisplayLanguage
    ) throws -> AnalyticsConsent? {
        switch environment["SUBGUARD_CONSENT"] {
        case nil, "": return nil
        case "true": return .granted
        case "false": return .revoked
        default:
            throw notBoolean("SUBGUARD_CONSENT", language)
        }
    }

    private static func entitlement(
        _ environment: [String: String], _ language: DisplayLanguage
    ) throws -> Entitlement? {
        switch environment["SUBGUARD_PREMIUM"] {
        case nil, "": return nil
        case "true": return .premium(until: nil)
        case "false": return .free
        default:
            throw notBoolean("SUBGUARD_PREMIUM", language)
        }
    }

    private static func notBoolean(_ variable: String, _ language: DisplayLanguage) -> DeviceStoreError {
        let detail = language == .french ? "doit être true ou false" : "Must be true or false."
        return .invalid(Fault(variable, .unknownValue, detail))
    }

    /// The word in the language of the call.
    func text(_ english: String, _ french: String) -> String { language == .french ? french : english }

    func money(_ amount: Money) -> String { amount.formatted(AmountStyle(language)) }

    func day(_ day: CalendarDay?) -> String {
        guard let day else { return "–" }
        guard language == .french else { return day.iso }
        let (year, month, number) = day.components
        return "\(number < 10 ? "0" : "")\(number)/\(month < 10 ? "0" : "")\(month)/\(year)"
    }
}
