import ArgumentParser
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Signs in with a server, out, and erases what it knows.",
        discussion: "Nothing but premium needs an account. Subscriptions stay on this device either way.",
        subcommands: [SignIn.self, SignOut.self, Erase.self])

    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "Signs in with what Sign in with Apple gave.")

        @Option(help: "A file with the identity token.") var identityTokenFile: String
        @Option(help: "The raw nonce whose SHA-256 went to Apple.") var nonce: String
        @OptionGroup var options: GlobalOptions

        func run() async throws {
            try await Session.online(options) { session in
                let token = String(
                    decoding: try WholeFile.read(identityTokenFile, maximumBytes: 64 << 10), as: UTF8.self)
                let server = try session.requireServer()
                try await session.account(server).signIn(
                    identityToken: token.trimmingCharacters(in: .whitespacesAndNewlines), nonce: nonce)
                // What was proved may have been of another account; the next synchronisation asks.
                try session.store.premium.removeProof(at: session.moment)
                session.print(
                    object: { json in
                        json.field("signed_in", true)
                        json.field("server", server.address.text)
                    }, text: { session.text("signed in with \(server.address)", "connecté à \(server.address)") })
            }
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Signs out. Premium that was proved goes with the session.")

        @OptionGroup var options: GlobalOptions

        func run() async throws {
            try await Session.online(options) { session in
                let wasTold = try await session.account(try session.requireServer()).signOut()
                try session.store.premium.removeProof(at: session.moment)
                session.print(
                    object: { json in
                        json.field("signed_in", false)
                        json.field("server_told", wasTold)
                    },
                    text: {
                        wasTold
                            ? session.text("signed out", "déconnecté")
                            : session.text(
                                "signed out here; the server could not be told",
                                "déconnecté ici ; le serveur n'a pu être prévenu")
                    })
            }
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase", abstract: "Erases the account at the server and what this device reported.",
            discussion: "Subscriptions and all else on this device stay; `delete` and removing the store are for those."
        )

        @OptionGroup var options: GlobalOptions

        func run() async throws {
            try await Session.online(options) { session in
                let server = try session.requireServer()
                var account = "erased"
                do {
                    try await session.account(server).erase()
                } catch ClientError.notSignedIn {
                    account = "not_signed_in"
                } catch ClientError.sessionEnded {
                    account = "session_ended"
                }
                try session.store.analytics.erase(at: session.moment)
                try session.store.premium.removeProof(at: session.moment)
                _ = await session.synchroniser(server).sendErasures(at: session.moment)
                session.printErased(account, pending: try session.store.analytics.pendingErasures())
            }
        }
    }
}

extension Session {
    fileprivate func printErased(_ account: String, pending: Int) {
        print(
            object: { json in
                json.field("account", account)
                json.field("pending_erasures", pending)
            },
            text: {
                var lines = [text("the subscriptions on this device stay", "les abonnements de cet appareil restent")]
                switch account {
                case "erased": lines.insert(text("account erased", "compte effacé"), at: 0)
                case "not_signed_in":
                    lines.insert(
                        text("no account: nobody is signed in", "pas de compte : personne n'est connecté"), at: 0)
                default:
                    lines.insert(
                        text(
                            "the server knows this session no more; if the account is still there, sign in again and erase it",
                            "le serveur ne connaît plus cette session ; si le compte existe encore, reconnecte-toi et efface-le"
                        ),
                        at: 0)
                }
                if pending > 0 {
                    lines.append(
                        text(
                            "what was reported is forgotten with the next sync",
                            "ce qui a été rapporté sera oublié à la prochaine sync"))
                }
                return lines.joined(separator: "\n")
            })
    }
}
