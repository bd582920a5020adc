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
            },
            columns: [
                (session.text("name"), .left), (session.text("since"), .left),
                (session.text("saved"), .right),
            ], empty: session.text("No cancelled subscriptions."), note: net.note(session)
        ) { [.init($0.name), .init(session.day($0.cancelledOn)), .init(session.money($0.amount))] }
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
            },
            columns: [(session.text("kind"), .left), (session.text("subscriptions"), .left)],
            empty: session.text("No redundant subscriptions found.")
        ) { overlap in
            [
                .init(overlap.kind.displayName(session.language)),
                .init(overlap.subscriptionIDs.compactMap { names[$0] }.joined(separator: ", ")),
            ]
        }
    }
}

struct CancelByCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel-by", abstract: "Show the last day to cancel each subscription.")

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let entries = try session.store.totals.cancelBy(at: session.moment)
        var columns: [(String, TextTable.Alignment)] = [
            (session.text("cancel by"), .left), (session.text("name"), .left),
            (session.text("amount avoided"), .right), (session.text("charge avoided"), .left),
            (session.text("reason"), .left),
        ]
        let isAnyPlaceKnown = entries.contains { $0.route != nil }
        if isAnyPlaceKnown { columns.append((session.text("where"), .left)) }
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
            },
            columns: columns, empty: session.text("Nothing to cancel.")
        ) { entry in
            let place: [TextTable.Cell] = [.init(entry.route.map { session.place($0) } ?? "")]
            return [
                .init(session.day(entry.cancelBy.lastDay)), .init(entry.name), .init(session.money(entry.amount)),
                .init(session.day(entry.cancelBy.avoids)),
                .init(entry.cancelBy.reason.displayName(session.language)),
            ] + (isAnyPlaceKnown ? place : [])
        }
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
