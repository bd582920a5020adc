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
            let isServerNotified = try await session.account(try session.requireServer()).signOut()
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

extension Session {
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

struct PremiumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "premium", abstract: "Show or verify premium.",
        subcommands: [Show.self, Verify.self], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show whether premium is active and until when; works offline.")

        @OptionGroup var options: GlobalOptions

        func run() throws { try Session.read(options) { session in try session.printPremium() } }
    }

    struct Verify: OnlineCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Verify a signed StoreKit 2 transaction with the server.")

        @Option(help: "File with the signed transaction.") var transactionFile: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) async throws {
            let text = String(decoding: try WholeFile.read(transactionFile, maximumBytes: 256 << 10), as: UTF8.self)
            let account = session.account(try session.requireServer())
            try await PremiumProof(store: session.store, account: account).verify(
                signedTransaction: text.trimmingCharacters(in: .whitespacesAndNewlines), at: session.moment)
            try session.printPremium()
        }
    }
}

extension Session {
    fileprivate func printPremium() throws {
        let isPremium = try store.premium.isActive(at: moment)
        let proof = try store.premium.proof()
        let used = try store.subscriptions.list(at: moment).count
        let limit = PremiumGate.freeSubscriptions
        print(
            object: { json in
                json.field("is_premium", isPremium)
                json.field("status", proof?.status.rawValue)
                json.field("source", proof?.source?.rawValue)
                json.field("product_id", proof?.productID)
                json.field("expires_at", proof?.expiresAt?.rfc3339)
                json.field("proven_at", proof?.provenAt.rfc3339)
                json.field("holds_until", proof?.expiresAt == nil ? nil : proof?.holdsUntil?.rfc3339)
                json.field("account_id", proof?.accountID?.lowercased)
                json.field("subscriptions", used)
                json.field("free_subscriptions", limit)
                json.strings("adds", PremiumGate.Feature.allCases.map(\.rawValue))
                json.field("manage_url", CancellationRoute.appStoreURL)
            },
            text: {
                var lines = [
                    [
                        text(isPremium ? "premium" : "free"), proof.map { text($0.status.phrase) },
                        proof?.expiresAt.map { text("until \(time($0))") },
                        proof?.source == .granted ? text("given by the operator of your server") : nil,
                    ].compactMap { $0 }.joined(separator: "  ")
                ]
                if isPremium, let proof, proof.expiresAt != nil, let end = proof.holdsUntil {
                    lines.append(text("valid offline until \(time(end))"))
                }
                if let id = proof?.accountID {
                    lines.append(text("account \(id.lowercased): by this id the operator of your server finds it"))
                }
                let manage = CancellationRoute.appStoreURL
                lines += [
                    text(
                        """
                        free: \(limit) subscriptions (you have \(used)), built-in categories, reminders, budgets, \
                        sharing
                        """
                    ),
                    text("also free: bank statements, JSON export, backups and merges"),
                    text("premium adds: more subscriptions, categories of your own"),
                    text("premium also adds: export as CSV, iCalendar and accounting text"),
                    text("bought and managed in the App Store: \(manage)"),
                ]
                return lines.joined(separator: "\n")
            })
    }
}
