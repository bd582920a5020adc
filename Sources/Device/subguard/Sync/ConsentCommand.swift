import ArgumentParser
import DeviceWords
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

enum ConsentAnswer: String, ExpressibleByArgument, CaseIterable {
    case grant, revoke
}

struct ConsentCommand: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "Allow or refuse sending anonymous events to the server.",
        discussion: """
            Revoking deletes the events on this device, stops recording, and requests the erasure of those already \
            sent: immediately if a server is set and reachable, else at the next sync.
            """)

    @Argument(help: "grant or revoke. Without it, show the current setting.") var answer: ConsentAnswer?
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) async throws {
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
                let waits = session.text("; the server still has to erase the events already sent")
                return session.text(consent.phrase) + (pending > 0 ? waits : "")
            })
    }
}
