import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct PriceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price", abstract: "Sets the price from a day on; earlier days keep theirs.")

    @Argument(help: "Its id, or the beginning of it.") var id: String
    @Option(parsing: .unconditional, help: "What is charged from that day on.") var amount: String
    @Option(help: "The first day of the price; past or to come.") var from: DayArgument
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.subscriptionID(id)
            try session.store.subscriptions.setPrice(id, amount, from: from.day, at: session.moment)
            try session.show(id)
        }
    }
}

struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pauses: nothing is charged until it resumes. No date moves.")

    @Argument(help: "Its id, or the beginning of it.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() throws { try Session.write(options) { try $0.set(.paused, id, nil) } }
}

struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Takes back a pause or a cancellation from today on. No date moves.")

    @Argument(help: "Its id, or the beginning of it.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() throws { try Session.write(options) { try $0.set(.active, id, nil) } }
}

struct CancelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancels: nothing is charged from that day on.")

    @Argument(help: "Its id, or the beginning of it.") var id: String
    @Option(help: "The first day without it. Default: today.") var on: DayArgument?
    @OptionGroup var options: GlobalOptions

    func run() throws { try Session.write(options) { try $0.set(.cancelled, id, on?.day) } }
}

extension Session {
    fileprivate func set(_ state: SubscriptionState, _ text: String, _ day: CalendarDay?) throws {
        let id = try subscriptionID(text)
        try store.subscriptions.setState(id, state, from: day ?? moment.today, at: moment)
        try show(id)
    }
}
