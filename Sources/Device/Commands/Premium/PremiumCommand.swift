import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

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
