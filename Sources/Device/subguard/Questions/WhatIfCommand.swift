import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct WhatIfCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "what-if", abstract: "Show what cancelling would save in the next 12 months.",
        discussion: "Changes nothing. What a contract or notice period still costs is deducted.")

    @Option(parsing: .upToNextOption, help: "Names or ids of the subscriptions.") var cancel: [String]
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let ids = try cancel.map { try session.subscriptionID($0) }
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
