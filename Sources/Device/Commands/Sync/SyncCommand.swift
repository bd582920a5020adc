import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Sync with the server.",
        discussion: """
            Updates the catalogue, the exchange rates if you have a home currency, sends suggestions, sends events, \
            sessions and crash reports if you consented, checks premium if you are signed in, and fetches the logos of \
            the whole catalogue. \
            Exits with status 1 when a part failed or more is queued than one sync sends; the next sync continues.
            """)

    @Flag(help: "Check catalogue, rates and premium even if they are up to date.") var force = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        var hasFailed = false
        try await Session.online(options) { session in
            let server = try session.requireServer()
            try session.askForConsent()
            // Before the events are sent, so that today's is among them.
            try session.store.analytics.recordOpening(at: session.moment)
            let report = await session.synchroniser(server).run(force: force, at: session.moment)
            session.print(report)
            for failure in report.failures(session.language) {
                StandardStream.error(session.text("error: \(failure)") + "\n")
            }
            hasFailed = report.hasFailed
        }
        if hasFailed { throw ExitCode.failure }
    }
}

extension Session {
    /// Asks for consent on a terminal, until the user answers yes or no.
    fileprivate func askForConsent() throws {
        guard !isJSON, Invocation.current.canAsk,
            try store.analytics.consent() == .undecided
        else {
            return
        }
        StandardStream.output(
            text(
                """
                Send anonymous usage events to the server: that the program is used, that it crashed and in which \
                command, when subscriptions are added or deleted, and which catalogue service they are for? Names you \
                typed, amounts, notes and billing dates are never sent. See docs/privacy.md. [y/n] 
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
                    json.object(part.name.rawValue) { json in
                        json.field("result", part.result.rawValue)
                        json.field("reason", part.reason)
                        if let error = part.error { json.field("detail", error.description) }
                        for count in part.counts { json.field(count.name, count.value) }
                    }
                }
                guard let failed = report.parts.first(where: { $0.result == .failed }) else { return }
                json.object("error") { json in
                    json.field("code", failed.error?.code ?? failed.reason)
                    json.field("detail", report.failures(language).joined(separator: "\n"))
                }
            },
            text: {
                report.parts.filter(\.hasNews).map { part in
                    text(part.name.phrase).padding(toLength: 12, withPad: " ", startingAt: 0) + " "
                        + part.summary(language)
                }.joined(separator: "\n")
            })
    }

    /// The phrases that are not nil, separated by commas.
    func list(_ phrases: [Sentence?]) -> String { language.list(phrases) }
}

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
