import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct SavingsCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "savings", abstract: "Show what you saved by cancelling subscriptions.",
        discussion: "Charges that were confirmed after a cancellation were not saved.")

    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        try session.print(
            session.store.totals.savings(isNet: net.net, at: session.moment),
            json: { saving, json in
                json.field("subscription_id", saving.subscriptionID.lowercased)
                json.field("name", saving.name)
                json.money(saving.amount)
                json.field("cancelled_on", saving.cancelledOn.iso)
                net.write(to: &json)
            }, empty: "No cancelled subscriptions.", note: net.note(session),
            [
                .text("name") { $0.name }, .text("since") { session.day($0.cancelledOn) },
                .number("saved") { session.money($0.amount) },
            ])
    }
}

struct OverlapsCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "overlaps", abstract: "Find subscriptions that may be redundant.",
        discussion: """
            Compares catalogue items, names, and the first words of names: Spotify and Spotify Family. Different \
            services, such as several for films, are not compared.
            """)

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let names = Dictionary(
            uniqueKeysWithValues: try session.store.subscriptions.list(at: session.moment).map { ($0.id, $0.name) })
        session.print(
            try session.store.totals.overlaps(at: session.moment),
            json: { overlap, json in
                json.field("kind", overlap.kind.rawValue)
                json.array("subscriptions", overlap.subscriptionIDs) { json, id in
                    json.field("id", id.lowercased)
                    json.field("name", names[id])
                }
            }, empty: "No redundant subscriptions found.",
            [
                .text("kind") { $0.kind.displayName(session.language) },
                .text("subscriptions") { $0.subscriptionIDs.compactMap { names[$0] }.joined(separator: ", ") },
            ])
    }
}

struct CancelByCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel-by", abstract: "Show the last day to cancel each subscription.")

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let entries = try session.store.totals.cancelBy(at: session.moment)
        var columns: [ListColumn<CancelByEntry>] = [
            .text("cancel by") { session.day($0.cancelBy.lastDay) }, .text("name") { $0.name },
            .number("amount avoided") { session.money($0.amount) },
            .text("charge avoided") { session.day($0.cancelBy.avoids) },
            .text("reason") { $0.cancelBy.reason.displayName(session.language) },
        ]
        if entries.contains(where: { $0.route != nil }) {
            columns.append(.text("where") { $0.route.map { session.place($0) } ?? "" })
        }
        session.print(
            entries,
            json: { entry, json in
                json.field("subscription_id", entry.subscriptionID.lowercased)
                json.field("name", entry.name)
                json.field("cancel_by", entry.cancelBy.lastDay.iso)
                json.field("avoids_on", entry.cancelBy.avoids.iso)
                json.field("reason", entry.cancelBy.reason.rawValue)
                json.field("days_left", session.moment.today.days(until: entry.cancelBy.lastDay))
                json.money(entry.amount)
                json.fields(entry.route, noticeDays: entry.noticeDays)
            }, empty: "Nothing to cancel.", columns)
    }
}

extension Session {
    /// The link, or the App Store by its name.
    func place(_ route: CancellationRoute) -> String { route.channel == .appStore ? "App Store" : route.url }
}

extension JSONWriter {
    /// Where to cancel: `cancel_channel` is `app_store`, `cancel_page`, `website` or null.
    mutating func fields(_ route: CancellationRoute?, noticeDays: Int) {
        field("cancel_channel", route?.channel.rawValue)
        field("cancel_url", route?.url)
        field("notice_days", noticeDays)
    }
}
