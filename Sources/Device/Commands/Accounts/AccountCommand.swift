import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Sign in to a server, sign out, or erase the account.",
        discussion: "Only premium needs an account. Subscriptions stay on this device in any case.",
        subcommands: [SignIn.self, SignOut.self, Erase.self])

    struct SignIn: OnlineCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "Sign in with an identity token from Sign in with Apple.")

        @Option(help: "File with the identity token.") var identityTokenFile: String
        @Option(help: "The raw nonce; its SHA-256 was sent to Apple.") var nonce: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) async throws {
            let token = String(decoding: try WholeFile.read(identityTokenFile, maximumBytes: 64 << 10), as: UTF8.self)
            let server = try session.requireServer()
            try session.requireNoSession(besides: server)
            try await session.account(server).signIn(
                identityToken: token.trimmingCharacters(in: .whitespacesAndNewlines), nonce: nonce)
            // The proof may belong to another account. If the server cannot be asked now, the next sync does it.
            try session.store.premium.removeProof(at: session.moment)
            let proof = try? await PremiumProof(store: session.store, account: session.account(server))
                .refresh(at: session.moment)
            let isPremium = try session.store.premium.isActive(at: session.moment)
            session.print(
                object: { json in
                    json.field("signed_in", true)
                    json.field("server", server.address.text)
                    json.field("is_premium", isPremium)
                },
                text: {
                    [
                        session.text("signed in to \(server.address.text)"),
                        proof == nil
                            ? session.text("premium: not asked yet; run subguard sync")
                            : session.text(isPremium ? "premium is active" : "this account has no premium"),
                    ].joined(separator: "\n")
                })
        }
    }

    struct SignOut: OnlineCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign out. Premium ends on this device.")

        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) async throws {
            // Unusable credentials are deleted too.
            var isSignedIn = true
            do { isSignedIn = try session.credentials.load() != nil } catch {}
            guard isSignedIn else {
                return session.print(
                    object: { json in
                        json.field("signed_in", false)
                        json.field("server_told", false)
                    }, text: { session.text("not signed in") })
            }
            let server = try session.requireServer()
            try session.requireNoSession(besides: server)
            let isServerNotified = try await session.account(server).signOut()
            try session.store.premium.removeProof(at: session.moment)
            session.print(
                object: { json in
                    json.field("signed_in", false)
                    json.field("server_told", isServerNotified)
                },
                text: {
                    session.text(
                        isServerNotified
                            ? "signed out" : "signed out on this device; the server could not be notified")
                })
        }
    }

    struct Erase: OnlineCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase", abstract: "Erase the account and the events this device sent.",
            discussion: "Data on this device is kept. To remove it, use `delete` or remove the database file."
        )

        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) async throws {
            let server = try session.requireServer()
            try session.requireNoSession(besides: server)
            var account = "erased"
            do {
                try await session.account(server).erase()
            } catch ClientError.notSignedIn {
                account = "not_signed_in"
            } catch ClientError.sessionEnded {
                account = "session_ended"
            }
            try session.store.analytics.erase(at: session.moment)
            if account != "not_signed_in" { try session.store.premium.removeProof(at: session.moment) }
            _ = await session.synchroniser(server).sendErasures(at: session.moment)
            session.printErased(account, pending: try session.store.analytics.pendingErasures())
        }
    }
}

extension Session {
    /// Throws if there is a session of another server.
    fileprivate func requireNoSession(besides server: ServerConnection) throws {
        guard let host = account(server).otherServer else { return }
        throw Fault("--server", .conflict, "You are signed in at \(host). Sign out there.")
    }

    fileprivate func printErased(_ account: String, pending: Int) {
        print(
            object: { json in
                json.field("account", account)
                json.field("pending_erasures", pending)
            },
            text: {
                var lines = [text("the subscriptions on this device are kept")]
                switch account {
                case "erased": lines.insert(text("account erased"), at: 0)
                case "not_signed_in":
                    lines.insert(text("no account erased: not signed in"), at: 0)
                default:
                    lines.insert(
                        text("the session has expired; if the account still exists, sign in again and erase it"),
                        at: 0)
                }
                if pending > 0 {
                    lines.append(text("the events already sent will be erased at the next sync"))
                }
                return lines.joined(separator: "\n")
            })
    }
}
