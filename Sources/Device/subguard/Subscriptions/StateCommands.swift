import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct PriceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price", abstract: "Change the price from a date; earlier charges keep the old one.",
        discussion: "The new price holds until the next dated price, if there is one.")

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @Option(parsing: .unconditional, help: "The new price, such as 15.99.") var amount: String
    @Option(help: "First day of the new price, in the past or the future.") var from: DayArgument
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.subscriptionID(id)
            let from = from.day(session.moment.today)
            let currency = try session.store.subscriptions.load(id).price(on: from).currency
            try session.store.subscriptions.setPrice(
                id, try session.decimal(amount, currency), from: from, at: session.moment)
            try session.show(id)
        }
    }
}

struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause a subscription, starting today. Billing dates stay the same.")

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() throws { try Session.write(options) { try $0.set(.paused, id, nil) } }
}

struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "End a pause or a cancellation.",
        discussion: "What was before that date stays. A cancellation planned for after a pause stays too.")

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @Option(help: "First day that is charged again. Default: today.") var from: DayArgument?
    @OptionGroup var options: GlobalOptions

    func run() throws { try Session.write(options) { try $0.set(.active, id, from) } }
}

struct CancelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a subscription, or correct the date of its cancellation.")

    @Argument(help: "The subscription's id, or its first 8 or more characters.") var id: String
    @Option(help: "First day that is no longer charged. Default: today.") var on: DayArgument?
    @OptionGroup var options: GlobalOptions

    func run() throws { try Session.write(options) { try $0.set(.cancelled, id, on) } }
}

extension Session {
    fileprivate func set(_ state: SubscriptionState, _ text: String, _ day: DayArgument?) throws {
        let id = try subscriptionID(text)
        try store.subscriptions.setState(id, state, from: day?.day(moment.today) ?? moment.today, at: moment)
        try show(id)
    }
}
