import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// The flags of `add` and `edit`. An empty value clears an optional field.
struct SubscriptionOptions: ParsableArguments {
    @Option(help: "Name of the subscription.")
    var name: String?

    @Option(parsing: .unconditional, help: "Price per charge, such as 13.49.")
    var amount: String?

    @Option(help: "Currency code, such as EUR; optional when the amount names it, as in \"12.50 €\".")
    var currency: String?

    @Option(help: "How often it is charged, such as monthly or every:18m.")
    var cycle: CycleArgument?

    @Option(help: "Next billing date, such as 2027-01-15 or \"15 January\"; a past one moves to its next occurrence.")
    var next: DayArgument?

    @Option(help: "First day of the subscription, today or before; what was charged since then counts. Default: today.")
    var started: String?

    @Option(help: "pro or personal. Default: personal.")
    var scope: String?

    @Option(help: "Category, such as streaming or music; with premium also a name of your own. Default: other.")
    var category: String?

    @Option(help: "Last day of the free trial.")
    var trialEnds: String?

    @Flag(inversion: .prefixedNo, help: "Whether the subscription is charged after the trial.")
    var trialConverts: Bool?

    @Option(help: "When to remind, in days before a charge, such as 7,1; empty for never. Default: 3.")
    var remind: String?

    @Option(help: "Notes.")
    var notes: String?

    @Option(help: "Description.")
    var details: String?

    @Option(help: "Website where it is managed.")
    var website: String?

    @Option(help: "Payment method.")
    var paymentMethod: String?

    @Option(help: "Name of an icon.")
    var icon: String?

    @Option(help: "Colour, such as #9FE870.")
    var color: String?

    @Option(help: "Slug or id of the catalogue item.")
    var catalogueItem: String?

    @Option(help: "Last day of the current contract term.")
    var contractEnds: String?

    @Option(help: "Minimum term in months, from the first day of the subscription.")
    var minimumMonths: Int?

    @Option(help: "Months by which the contract is extended unless cancelled.")
    var extensionMonths: Int?

    @Option(help: "Notice period in days before the end of the term.")
    var noticeDays: Int?

    @Option(help: "Last day of a fixed term.")
    var ends: String?

    @Flag(inversion: .prefixedNo, help: "Whether the amount is an estimate that varies; it is shown with ~.")
    var variable: Bool?

    @Option(help: "Id of the subscription that includes this one; its own price is not counted.")
    var bundledIn: String?

    @Option(help: "Id of the subscription that replaced this one.")
    var replacedBy: String?

    func validate() throws {
        for (flag, text) in [
            ("started", started), ("trial-ends", trialEnds), ("contract-ends", contractEnds), ("ends", ends),
        ] {
            if let text, !text.isEmpty, DayExpression(text) == nil {
                throw ValidationError("The value '\(text)' is invalid for '--\(flag) <day>'")
            }
        }
    }

    /// Whether the amount brings its currency with it, as in `12,50 €`.
    var amountNamesCurrency: Bool { amount.flatMap(AmountText.read)?.currency != nil }

    /// The given fields of an edit, with amounts, cycles and days turned into the form of the contract.
    ///
    /// - Parameters:
    ///   - currency: that of the subscription; an amount that names another one is refused.
    ///   - id: of the subscription.
    func draft(_ session: Session, currency present: Currency, of id: UUID) throws -> SubscriptionDraft {
        var given = try given(session)
        if given[.currency] == nil, given[.amount] != nil { given[.currency] = present.code }
        let today = session.moment.today
        return try session.prepared(given) { given in
            guard let subscription = try? session.store.subscriptions.load(id) else { return FaultList() }
            return subscription.faults(editing: given, today: today) { draft throws(Fault) in
                try draft.normalised(currency: nil, today: today)
            }
        }
    }

    /// The given fields as they were typed, with days and names of other objects resolved.
    func given(_ session: Session) throws -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        draft[.name] = name
        draft[.amount] = amount
        draft[.currency] = currency
        draft[.cycle] = cycle?.text
        draft[.nextBillingOn] = next?.day(session.moment.today).iso
        draft[.startedOn] = started
        draft[.scope] = scope
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
        draft[.catalogueItemID] = catalogueItem.map { text in
            (try? session.store.catalogue.item(text))?.id.lowercased ?? text
        }
        draft[.contractEndsOn] = contractEnds
        draft[.minimumMonths] = minimumMonths.map(String.init)
        draft[.extensionMonths] = extensionMonths.map(String.init)
        draft[.noticeDays] = noticeDays.map(String.init)
        draft[.endsOn] = ends
        draft[.isVariable] = variable.map { $0 ? "true" : "false" }
        draft[.bundledIn] = try bundledIn.map { $0.isEmpty ? "" : try session.subscriptionID($0).lowercased }
        draft[.replacedBy] = try replacedBy.map { $0.isEmpty ? "" : try session.subscriptionID($0).lowercased }
        let today = session.moment.today
        for field in [SubscriptionField.trialEndsOn, .contractEndsOn, .endsOn] {
            if let day = draft[field].flatMap({ DayExpression($0) }) { draft[field] = day.day(today: today).iso }
        }
        if let day = started.flatMap({ DayExpression($0) }) {
            draft[.startedOn] = day.day(today: today, towards: .last).iso
        }
        return draft
    }
}

extension Session {
    /// Turns amounts, cycles and days into the form of the contract. When one of them cannot be read, throws the faults of all
    /// fields.
    func prepared(_ given: SubscriptionDraft, faults: (SubscriptionDraft) -> FaultList) throws -> SubscriptionDraft {
        do {
            return try given.normalised(currency: nil, today: moment.today)
        } catch {
            // What is missing may still come from the catalogue.
            let all = faults(given).filter { $0.code != .required }
            throw all.count > 1 ? DeviceStoreError.invalidFields(all) : DeviceStoreError.invalid(error)
        }
    }
}
