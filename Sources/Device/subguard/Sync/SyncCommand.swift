import ArgumentParser
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Exchanges with the server what waits on either side.",
        discussion: """
            The catalogue, suggestions, events where you consented, and premium where you are signed in. What fails is \
            tried again the next time; the status is then 1. So it is when more waits than one sync sends.
            """)

    @Flag(help: "Ask for catalogue and premium although what is here is fresh.") var force = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        var hasFailed = false
        try await Session.online(options) { session in
            let server = try session.requireServer()
            try session.askForConsent()
            // Before the events leave, so that they tell of today.
            try session.store.analytics.recordOpening(at: session.moment)
            let report = await session.synchroniser(server).run(force: force, at: session.moment)
            session.print(report)
            hasFailed = report.hasFailed
        }
        if hasFailed { Foundation.exit(1) }
    }
}

extension Session {
    /// Asks once, on a terminal; whoever only presses return is asked again the next time.
    fileprivate func askForConsent() throws {
        guard !isJSON, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            try store.analytics.consent() == .undecided
        else {
            return
        }
        StandardStream.output(
            text(
                """
                May anonymous figures be sent to the server: that the program is used, when subscriptions are added and \
                removed, and for which service where you took it from the catalogue? Never a name that you typed, an \
                amount, a note or a billing date. (docs/privacy.md) [y/n] 
                """,
                """
                Envoyer au serveur des chiffres anonymes : que le programme sert, quand des abonnements sont ajoutés et \
                retirés, et pour quel service s'il vient du catalogue ? Jamais un nom que tu as saisi, un montant, une \
                note ou une échéance. (docs/privacy.md) [o/n] 
                """))
        switch readLine()?.lowercased().first {
        case "y", "o": try store.analytics.setConsent(.granted, at: moment)
        case "n": try store.analytics.setConsent(.revoked, at: moment)
        default: break
        }
    }

    func print(_ report: SyncReport) {
        print(
            object: { json in
                for part in report.parts {
                    json.key(part.name.rawValue)
                    json.beginObject()
                    json.field("result", part.result.rawValue)
                    json.field("reason", part.reason)
                    if let error = part.error { json.field("detail", error.description) }
                    for count in part.counts { json.field(count.name, count.value) }
                    json.endObject()
                }
            },
            text: {
                report.parts.map { part in
                    let counts = part.counts.map { "\(word(count: $0.name, of: part.name)) \($0.value)" }
                    let reason = part.error.map { Refusal.text($0, language) } ?? part.reason.map { word(reason: $0) }
                    let rest = ([reason] + counts).compactMap { $0 }.joined(separator: ", ")
                    let name = word(part.name).padding(toLength: 12, withPad: " ", startingAt: 0)
                    return "\(name) \(word(part.result))" + (rest.isEmpty ? "" : text(": ", " : ") + rest)
                }.joined(separator: "\n")
            })
    }
}
