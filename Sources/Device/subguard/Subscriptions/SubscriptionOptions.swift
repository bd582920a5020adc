import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// The flags of `add` and `edit`. An empty text takes an optional value away.
struct SubscriptionOptions: ParsableArguments {
    @Option(help: "What it is called.")
    var name: String?

    @Option(parsing: .unconditional, help: "What is charged each time, such as 13.49.")
    var amount: String?

    @Option(help: "An ISO 4217 code, such as EUR.")
    var currency: String?

    @Option(help: "How often it is charged.")
    var cycle: CycleArgument?

    @Option(help: "The next billing day, YYYY-MM-DD; one in the past moves to its next occurrence.")
    var next: DayArgument?

    @Option(help: "pro, personal, or with premium a name of your own.")
    var category: String?

    @Option(help: "The last day of the trial; the price is charged from then on.")
    var trialEnds: String?

    @Flag(inversion: .prefixedNo, help: "Whether the trial converts to the price.")
    var trialConverts: Bool?

    @Option(help: "Days before a charge on which to remind, such as 7,1; empty for none. Default: 3.")
    var remind: String?

    @Option(help: "Anything worth knowing.")
    var notes: String?

    @Option(help: "What it is.")
    var details: String?

    @Option(help: "Where it is managed.")
    var website: String?

    @Option(help: "How it is paid.")
    var paymentMethod: String?

    @Option(help: "The name of a symbol.")
    var icon: String?

    @Option(help: "A colour such as #9FE870.")
    var color: String?

    @Option(help: "The id of its item in the catalogue.")
    var catalogueItem: String?

    @Option(help: "The last day of the contract's current term.")
    var contractEnds: String?

    @Option(help: "The minimum term in months, from the day of entry.")
    var minimumMonths: Int?

    @Option(help: "By how many months the contract goes on when nobody cancels.")
    var extensionMonths: Int?

    @Option(help: "How many days before the end a cancellation must be given.")
    var noticeDays: Int?

    @Option(help: "The last day of a fixed term.")
    var ends: String?

    @Flag(inversion: .prefixedNo, help: "Whether the amount is an estimate that differs each time.")
    var variable: Bool?

    @Option(help: "The subscription in which it is paid; it then costs nothing of its own.")
    var bundledIn: String?

    @Option(help: "The subscription that took its place.")
    var replacedBy: String?

    func validate() throws {
        for (flag, text) in [("trial-ends", trialEnds), ("contract-ends", contractEnds), ("ends", ends)] {
            if let text, !text.isEmpty, CalendarDay(iso: text) == nil {
                throw ValidationError("The value '\(text)' is invalid for '--\(flag) <day>'")
            }
        }
    }

    /// The fields that were given.
    func draft(_ session: Session) throws -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        draft[.name] = name
        draft[.amount] = amount
        draft[.currency] = currency
        draft[.cycle] = cycle?.cycle.wire
        draft[.nextBillingOn] = next?.day.iso
        draft[.category] = category
        draft[.trialEndsOn] = trialEnds
        draft[.trialConverts] = trialConverts.map { $0 ? "true" : "false" }
        draft[.remind] = remind
        draft[.notes] = notes
        draft[.details] = details
        draft[.website] = website
        draft[.paymentMethod] = paymentMethod
        draft[.icon] = icon
        draft[.color] = color
        draft[.catalogueItemID] = catalogueItem
        draft[.contractEndsOn] = contractEnds
        draft[.minimumMonths] = minimumMonths.map(String.init)
        draft[.extensionMonths] = extensionMonths.map(String.init)
        draft[.noticeDays] = noticeDays.map(String.init)
        draft[.endsOn] = ends
        draft[.isVariable] = variable.map { $0 ? "true" : "false" }
        draft[.bundledIn] = try bundledIn.map { $0.isEmpty ? "" : try session.subscriptionID($0).lowercased }
        draft[.replacedBy] = try replacedBy.map { $0.isEmpty ? "" : try session.subscriptionID($0).lowercased }
        return draft
    }
}
