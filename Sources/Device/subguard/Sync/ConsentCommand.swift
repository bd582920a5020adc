import ArgumentParser
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

enum ConsentAnswer: String, ExpressibleByArgument, CaseIterable {
    case grant, revoke
}

struct ConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "Says whether anonymous events may be sent to the server.",
        discussion: """
            Revoking empties the queue, records nothing more, and asks the server to forget what was sent: at once where a \
            server is named and reached, else with the next sync.
            """)

    @Argument(help: "The answer; without one, the present one is shown.") var answer: ConsentAnswer?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Session.online(options) { session in
            switch answer {
            case .grant: try session.store.analytics.setConsent(.granted, at: session.moment)
            case .revoke:
                try session.store.analytics.setConsent(.revoked, at: session.moment)
                if try session.store.analytics.pendingErasures() > 0, let server = try session.server() {
                    _ = await session.synchroniser(server).sendErasures(at: session.moment)
                }
            case nil: break
            }
            let consent = try session.store.analytics.consent()
            let pending = try session.store.analytics.pendingErasures()
            session.print(
                object: { json in
                    json.field("consent", consent.rawValue)
                    json.field("pending_erasures", pending)
                },
                text: {
                    let waits = session.text(
                        "; the server is still to be told to forget", "; le serveur reste à prévenir d'oublier")
                    return session.word(consent) + (pending > 0 ? waits : "")
                })
        }
    }
}
