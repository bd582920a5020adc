import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ChangesCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "Show what became dearer or cheaper, started or ended.",
        discussion: "Changes that are still to come are not included; `forecast` counts them.")

    @Option(help: "First day.") var since: DayArgument
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        try session.print(
            session.store.totals.changes(
                since: since.day(session.moment.today, towards: .last), isNet: net.net, at: session.moment),
            json: { change, json in
                json.field("subscription_id", change.subscriptionID.lowercased)
                json.field("name", change.name)
                json.field("kind", change.kind.rawValue)
                json.field("on", change.on.iso)
                json.field("currency", (change.to ?? change.from)?.currency.code)
                json.field("from", change.from?.decimal)
                // Another one after a change of the currency.
                json.field("from_currency", change.from?.currency.code)
                json.field("to", change.to?.decimal)
                json.field("percent", change.percent.map { JSONValue.number("\($0)") } ?? .null)
                json.field("annual_effect", change.annualEffect?.decimal)
                net.write(to: &json)
            }, empty: "No changes.", note: net.note(session),
            [
                .text("date") { session.day($0.on) }, .text("name") { $0.name },
                .text("kind") { session.text($0.kind.phrase) },
                .number("from") { $0.from.map { session.money($0) } ?? "" },
                .number("to") { $0.to.map { session.money($0) } ?? "" },
                .number("%") { $0.percent.map { session.signed("\($0)") } ?? "" },
                .number("per year", { ($0.annualEffect?.minorUnits ?? 0) > 0 ? .red : .green }) {
                    $0.annualEffect.map { session.signed(session.money($0)) } ?? ""
                },
            ])
    }
}

extension SubscriptionChange.Kind {
    fileprivate var phrase: Sentence {
        switch self {
        case .started: "started"
        case .priceRise: "price rise"
        case .priceDrop: "price drop"
        case .trialConverted: "end of trial"
        case .currencyChange: "other currency"
        case .ended: "ended"
        case .resumed: "came back"
        }
    }
}

extension Session {
    /// With a plus sign unless it is negative; in French with a decimal comma.
    fileprivate func signed(_ number: String) -> String {
        let text = language == .french ? number.replacing(".", with: ",") : number
        return text.hasPrefix("-") || text.hasPrefix("−") ? text : "+" + text
    }
}

struct WhatIfCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "what-if", abstract: "Show what cancelling would save in the next 12 months.",
        discussion: "Changes nothing. What a contract or notice period still costs is deducted.")

    @Option(parsing: .upToNextOption, help: "Names or ids of the subscriptions.") var cancel: [String]
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        var reader = ArgumentReader()
        let ids = try cancel.compactMap { text in try reader.read("cancel") { try session.subscriptionID(text) } }
        try reader.finish()
        let effect = try session.store.totals.effect(ofCancelling: ids, isNet: net.net, at: session.moment)
        let home = try session.store.rates.coming(effect.saves, at: session.moment)
        let note = try net.note(session)
        session.print(
            object: { json in
                json.array("saves", effect.saves) { $0.money($1) }
                json.field("until", effect.until.iso)
                let owed = effect.commitments.flatMap { owed in owed.commitment.amounts.map { (owed, $0) } }
                json.array("commitments", owed) { json, part in
                    json.field("subscription_id", part.0.subscriptionID.lowercased)
                    json.field("name", part.0.name)
                    json.field("until", part.0.commitment.through.iso)
                    json.money(part.1)
                }
                if let home { json.home(home) }
                net.write(to: &json)
            },
            text: {
                guard !effect.saves.isEmpty else { return session.text("Nothing is saved.") }
                let sum = session.money(effect.saves)
                var lines = [session.text("cancelling saves \(sum) until \(session.day(effect.until))")]
                for owed in effect.commitments {
                    let rest = session.money(owed.commitment.amounts)
                    let end = session.day(owed.commitment.through)
                    lines.append("  " + session.text("\(owed.name) still costs \(rest) until \(end)"))
                }
                return (lines + (home.map { session.homeLines($0) } ?? [])).joined(separator: "\n") + note
            })
    }
}
