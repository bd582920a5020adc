import ArgumentParser
import Foundation
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

    @Option(
        help: "How often it is charged, such as monthly, every:18m or \"every:28d after payment\".",
        completion: .list(CycleArgument.allValueStrings)
    )
    var cycle: String?

    @Option(help: "Next billing date, such as 2027-01-15 or \"15 January\"; a past one moves to its next occurrence.")
    var next: String?

    @Option(help: "First day of the subscription, today or before; what was charged since then counts. Default: today.")
    var started: String?

    @Option(help: "pro or personal. Default: personal.")
    var scope: String?

    @Option(help: "Category, such as streaming or music; with premium also a name of your own. Default: other.")
    var category: String?

    @Option(help: "First day of the free trial; charges before it are made.")
    var trialStarts: String?

    @Option(help: "Last day of the free trial.")
    var trialEnds: String?

    @Flag(inversion: .prefixedNo, help: "Whether the subscription is charged after the trial.")
    var trialConverts: Bool?

    @Option(
        help: """
            When to remind, in days before a charge, such as 7,1; default as set for all, none for never. A kind is \
            muted by no-charge, no-trial_end, no-cancel_by or no-price_change. Default: 3.
            """)
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

    @Option(parsing: .unconditional, help: "Minimum term in months, from the first day of the subscription.")
    var minimumMonths: Int?

    @Option(parsing: .unconditional, help: "Months by which the contract is extended unless cancelled.")
    var extensionMonths: Int?

    @Option(parsing: .unconditional, help: "Notice period in days before the end of the term.")
    var noticeDays: Int?

    @Option(help: "Last day of a fixed term.")
    var ends: String?

    @Flag(inversion: .prefixedNo, help: "Whether the amount is an estimate that varies; it is shown with ~.")
    var variable: Bool?

    @Option(help: "Name or id of the subscription that includes this one; its own price is not counted.")
    var bundledIn: String?

    @Option(help: "Name or id of the subscription that replaced this one.")
    var replacedBy: String?

    /// The given fields of an edit, in wire form.
    func draft(_ session: Session, of id: UUID) throws -> SubscriptionDraft {
        let (given, links) = try given(session)
        return try links.naming {
            try session.store.subscriptions.wireForm(editing: id, given, besides: $0, at: session.moment)
        }
    }

    /// The given fields as they were typed, with days and names of other objects resolved, and the names that stand for
    /// none.
    func given(_ session: Session) throws -> (draft: SubscriptionDraft, links: [LinkFault]) {
        var draft: SubscriptionDraft = [:]
        draft[.name] = name
        draft[.amount] = amount
        draft[.currency] = currency
        draft[.cycle] = cycle
        draft[.nextBillingOn] = next
        draft[.startedOn] = started
        draft[.scope] = scope
        draft[.category] = category
        draft[.trialStartsOn] = trialStarts
        draft[.trialEndsOn] = trialEnds
        draft[.trialConverts] = trialConverts.map { $0 ? "true" : "false" }
        draft[.remind] = remind
        draft[.notes] = notes
        draft[.details] = details
        draft[.website] = website
        draft[.paymentMethod] = paymentMethod
        draft[.icon] = icon
        draft[.color] = color
        draft[.contractEndsOn] = contractEnds
        draft[.minimumMonths] = minimumMonths.map(String.init)
        draft[.extensionMonths] = extensionMonths.map(String.init)
        draft[.noticeDays] = noticeDays.map(String.init)
        draft[.endsOn] = ends
        draft[.isVariable] = variable.map { $0 ? "true" : "false" }
        var links: [LinkFault] = []
        func resolve(_ field: SubscriptionField, _ text: String?, _ id: (String) throws -> UUID) throws {
            guard let text else { return }
            do {
                draft[field] = text.isEmpty ? "" : try id(text).lowercased
            } catch let error as DeviceStoreError {
                links.append(LinkFault(field: field, error: error))
            } catch let fault as Fault {
                links.append(LinkFault(field: field, error: .invalid(fault)))
            }
        }
        try resolve(.catalogueItemID, catalogueItem) { key in
            // An id needs no local copy of the catalogue.
            try session.store.catalogue.item(key)?.id ?? Session.uuid(key)
                ?? session.catalogueItem(key, field: SubscriptionField.catalogueItemID.rawValue).id
        }
        try resolve(.bundledIn, bundledIn, session.subscriptionID)
        try resolve(.replacedBy, replacedBy, session.subscriptionID)
        let today = session.moment.today
        for field in [SubscriptionField.nextBillingOn, .trialEndsOn, .contractEndsOn, .endsOn] {
            if let day = draft[field].flatMap({ DayExpression($0) }) { draft[field] = day.day(today: today).iso }
        }
        for (field, text) in [(SubscriptionField.startedOn, started), (.trialStartsOn, trialStarts)] {
            if let day = text.flatMap({ DayExpression($0) }) {
                draft[field] = day.day(today: today, towards: .last).iso
            }
        }
        return (draft, links)
    }
}

/// A name or id of something else that was not found, or is not unique.
struct LinkFault {
    let field: SubscriptionField
    let error: DeviceStoreError

    /// In one line, for a list of faults.
    fileprivate var fault: Fault {
        switch error {
        case .invalid(let fault): fault
        case .ambiguous: Fault(field.rawValue, .unknownValue, "Several have this name.")
        default: Fault(field.rawValue, .notFound, "Nothing has this name or id.")
        }
    }
}

extension [LinkFault] {
    /// Passes these faults to `read`; one that is the only fault of the input is thrown with all that is known about
    /// it.
    func naming<Value>(_ read: ([Fault]) throws -> Value) throws -> Value {
        do {
            return try read(map(\.fault))
        } catch DeviceStoreError.invalid(let fault) {
            throw first { $0.fault == fault }?.error ?? .invalid(fault)
        }
    }
}

extension Session {
    /// The currency of the settings or of all subscriptions, which decides what a sign of several means.
    func namedCurrencies() throws -> [Currency] { try store.subscriptions.usualCurrency().map { [$0] } ?? [] }
}
