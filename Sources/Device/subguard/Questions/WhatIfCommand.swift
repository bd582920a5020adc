import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct WhatIfCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "what-if", abstract: "Show what cancelling would save in the next 12 months.",
        discussion: "Changes nothing. What a contract or notice period still costs is deducted.")

    @Option(parsing: .upToNextOption, help: "Names or ids of the subscriptions.") var cancel: [String]
    @OptionGroup var net: NetOption
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let ids = try cancel.map { try session.subscriptionID($0) }
            let effect = try session.store.totals.effect(
                ofCancelling: ids, isNet: net.net, at: session.moment)
            let home = try session.store.rates.coming(effect.saves, at: session.moment)
            let note = try net.note(session)
            session.print(
                object: { json in
                    json.array("saves", effect.saves) { json, amount in
                        json.money(amount)
                    }
                    json.field("until", effect.until.iso)
                    json.key("commitments")
                    json.beginArray()
                    for owed in effect.commitments {
                        for amount in owed.commitment.amounts {
                            json.beginObject()
                            json.field("subscription_id", owed.subscriptionID.lowercased)
                            json.field("name", owed.name)
                            json.field("until", owed.commitment.through.iso)
                            json.money(amount)
                            json.endObject()
                        }
                    }
                    json.endArray()
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
}
