public import Foundation
public import SubGuardDomain

/// A subscription that a person adds: what they gave, completed from the catalogue. The rules of `subguard add` and of
/// the app's form, which only say what they find.
public struct NewSubscription: Sendable {
    /// As typed; wins over the catalogue.
    public var given: SubscriptionDraft
    /// The service of the catalogue that it is.
    public var item: CatalogueItem?
    /// Services that may be meant, most similar first, when none surely is.
    public private(set) var similar: [CatalogueItem] = []
    /// Whether it was typed as one line, of which what is missing may be assumed.
    public private(set) var isLine = false

    /// Takes what was typed, and the service if it is known already; nothing is checked.
    public init(_ given: SubscriptionDraft, item: CatalogueItem? = nil) {
        self.given = given
        self.item = item
    }

    /// What a subscription needs.
    public static let required: [SubscriptionField] = [.name, .amount, .currency, .cycle, .nextBillingOn]

    /// The required fields that a draft lacks, in their order. What was bought once needs no next charge.
    public static func missing(in draft: SubscriptionDraft) -> [SubscriptionField] {
        let isBought =
            draft[.cycle].flatMap(CycleText.wire) == BillingCycle.lifetime.wire && draft[.startedOn] != nil
        return required.filter { draft[$0] ?? "" == "" && !($0 == .nextBillingOn && isBought) }
    }

    // MARK: What was typed

    /// Takes what a line says (`Netflix 13.49 €/month 15 January`); given fields win. Does nothing for a line that says
    /// nothing. `choose` gets similar items and a name, and returns the item that the name stands for; nil for none of
    /// them. Throws ``DeviceStoreError/invalid(_:)`` for a line with two amounts.
    public mutating func take(
        line: String, in store: DeviceStore, at moment: Moment,
        choose: ([CatalogueItem], String) -> CatalogueItem? = { _, _ in nil }
    ) throws {
        let currencies = try store.subscriptions.usualCurrency().map { [$0] } ?? []
        var best = try Self.best(QuickEntry.readings(of: line, in: currencies), store)
        // `12,50 € mensuel` has no name: an amount is none.
        if best?.amount == nil { best = QuickEntry.nameless(line, in: currencies) ?? best }
        guard let entry = best else { return }
        if entry.hasTwoAmounts, given[.name] == nil, given[.amount] == nil {
            guard case .sure = try store.catalogue.guess(entry.name) else {
                throw DeviceStoreError.invalid(
                    Fault(
                        "amount", .duplicate,
                        "Has two amounts. Give one; a day of the month is \"on the 5th\", and --name takes any name."))
            }
        }
        isLine = true
        let today = moment.today
        let typed: [(SubscriptionField, String?)] = [
            (.name, entry.name), (.amount, entry.amount), (.cycle, entry.cycle),
            (.nextBillingOn, entry.next?.day(today: today).iso ?? entry.impossibleDate),
            (.trialEndsOn, entry.trialEnd?.day(today: today).iso),
        ]
        let isNamed = given[.name] != nil
        for (field, text) in typed where given[field] == nil { given[field] = text }
        if let name = given[.name], !name.isEmpty { try match(name, in: store, choose) }
        // The catalogue's name corrects a misspelt one.
        if !isNamed, let item { given[.name] = item.name }
    }

    /// Finds the service of the catalogue by its name, unless it is known.
    public mutating func match(
        _ name: String, in store: DeviceStore, _ choose: ([CatalogueItem], String) -> CatalogueItem? = { _, _ in nil }
    ) throws {
        guard item == nil, given[.catalogueItemID] == nil else { return }
        switch try store.catalogue.guess(name) {
        case .sure(let found): item = found
        case .unsure(let found):
            similar = found
            item = choose(found, name)
        case .none: break
        }
    }

    /// The reading whose name the catalogue surely knows, else the first.
    private static func best(_ readings: [QuickEntry], _ store: DeviceStore) throws -> QuickEntry? {
        guard readings.count > 1 else {
            return readings.first.flatMap { QuickEntry.nameless($0.name) == nil ? $0 : nil }
        }
        let items = try store.catalogue.items()
        return readings.first {
            if case .sure = CatalogueGuess($0.name, among: items) { true } else { false }
        } ?? readings.first
    }

    // MARK: What it becomes

    /// The draft with everything known, in wire form.
    ///
    /// - Parameters:
    ///   - usual: the currency of a line without one.
    ///   - draft: ``given`` in wire form, as of ``DeviceStore/Subscriptions/wireForm(adding:besides:at:)``.
    ///   - today: the day from which a missing next charge is counted.
    public func completed(_ draft: SubscriptionDraft, usual: Currency?, today: CalendarDay) -> SubscriptionDraft {
        var draft = draft
        if let item {
            var known = item.subscriptionDraft
            // `--category pro`, from the time before scopes, decides the scope too.
            if draft[.scope] == nil, let named = draft[.category].flatMap({ SubscriptionScope(named: $0) }) {
                known[.scope] = named.rawValue
            }
            // Another cycle or currency costs another amount.
            let currency = draft[.currency] ?? item.typicalAmount.currency.code
            let cycle = draft[.cycle] ?? item.billingCycle.wire
            if currency != item.typicalAmount.currency.code || cycle != item.billingCycle.wire { known[.amount] = nil }
            draft.merge(known) { own, _ in own }
        }
        if isLine, draft[.currency] == nil { draft[.currency] = usual?.code }
        if draft[.nextBillingOn] == nil, isLine || item != nil {
            draft[.nextBillingOn] = Self.assumedNextCharge(of: draft, today: today)?.iso
        }
        return draft
    }

    /// The end of the trial, the first day, or one cycle from today; nil without a cycle.
    public static func assumedNextCharge(of draft: SubscriptionDraft, today: CalendarDay) -> CalendarDay? {
        let known = [draft[.trialEndsOn], draft[.startedOn]].compactMap { $0.flatMap { CalendarDay(iso: $0) } }
        if let day = known.first { return day }
        return draft[.cycle].flatMap { BillingCycle(wire: $0) }
            .map { nextCharge(after: today, cycle: $0, today: today) ?? today }
    }

    /// The next charge after the last one, today or later; nil after what was bought once.
    private static func nextCharge(after last: CalendarDay, cycle: BillingCycle, today: CalendarDay) -> CalendarDay? {
        BillingSchedule(anchor: last, cycle: cycle).next(onOrAfter: max(today, last.adding(days: 1)))
    }

    /// The `next_billing_on` of what was charged last on a day, today or before: the next charge, or `last` itself when
    /// that one is on the last day of a shorter month, so that the 31st returns after it, and after what was bought
    /// once. `dayOfMonth` is the day of the month, when the month of `last` is too short for it.
    public static func billingDay(
        after last: CalendarDay, dayOfMonth: Int? = nil, cycle: BillingCycle, today: CalendarDay
    ) -> CalendarDay {
        let anchor = BillingSchedule.anchor(
            through: last, dayOfMonth: dayOfMonth ?? last.day, cycle: cycle, today: last)
        let schedule = BillingSchedule(anchor: anchor, cycle: cycle)
        guard let next = schedule.next(onOrAfter: max(today, last.adding(days: 1))) else { return anchor }
        if case .months = cycle.step, next.day < anchor.day { return anchor }
        return next
    }

    /// The `next_billing_on` of what is charged on a day of the month (1 to 31), in a shorter month
    /// on its last day: the next charge, today or later, or a day before it as in
    /// ``billingDay(after:dayOfMonth:cycle:today:)``.
    public static func billingDay(onDayOfMonth day: Int, cycle: BillingCycle, today: CalendarDay) -> CalendarDay? {
        let first = today.adding(days: 1 - today.day)
        return (0...1).map { first.adding(months: $0, anchorDay: day) }.first { $0 >= today }
            .map { BillingSchedule.anchor(through: $0, dayOfMonth: day, cycle: cycle, today: today) }
    }
}

extension DeviceStore.Subscriptions {
    /// Amounts, cycles and days of a new subscription, as typed, in wire form. Throws the faults of all given fields,
    /// and `others` of the same input with them; what is missing may come from the catalogue.
    public func wireForm(
        adding typed: SubscriptionDraft, besides others: [Fault] = [], at moment: Moment
    ) throws -> SubscriptionDraft {
        try wireForm(typed, preferring: try usualCurrency().map { [$0] } ?? [], others, at: moment) { typed, prepare in
            Subscription.faults(making: typed, id: UUID(), today: moment.today, now: moment.now, prepare: prepare)
        }
    }

    /// The same for changes of a subscription, whose currency an amount without one has.
    public func wireForm(
        editing id: UUID, _ typed: SubscriptionDraft, besides others: [Fault] = [], at moment: Moment
    ) throws -> SubscriptionDraft {
        let subscription = try load(id)
        let present = subscription.price(on: moment.today).currency
        var typed = typed
        if typed[.currency] == nil, typed[.amount] != nil { typed[.currency] = present.code }
        let preferred = [present] + (try usualCurrency().map { [$0] } ?? [])
        return try wireForm(typed, preferring: preferred, others, at: moment) { typed, prepare in
            subscription.faults(editing: typed, today: moment.today, prepare: prepare)
        }
    }

    private typealias Preparation = (SubscriptionDraft) throws(Fault) -> SubscriptionDraft

    private func wireForm(
        _ typed: SubscriptionDraft, preferring currencies: [Currency], _ others: [Fault], at moment: Moment,
        _ faults: (SubscriptionDraft, Preparation) -> FaultList
    ) throws -> SubscriptionDraft {
        let prepare: Preparation = { draft throws(Fault) in
            try draft.normalised(currency: nil, preferring: currencies, today: moment.today)
        }
        let draft = Result { () throws(Fault) in try prepare(typed) }
        if others.isEmpty, case .success(let draft) = draft { return draft }
        let found =
            faults(typed, prepare).filter { fault in
                fault.code != .required || typed.keys.contains { $0.rawValue == fault.pointer }
            } + others
        if found.count > 1 { throw DeviceStoreError.invalidFields(found) }
        do throws(Fault) {
            let draft = try draft.get()
            if let other = others.first { throw other }
            return draft
        } catch {
            throw DeviceStoreError.invalid(error)
        }
    }
}
