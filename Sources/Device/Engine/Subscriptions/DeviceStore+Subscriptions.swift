public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Subscriptions {
    /// Lists the subscriptions that pass a filter, in an order: the first `limit` by name, nil for all.
    public func list(
        _ filter: SubscriptionFilter = SubscriptionFilter(), by order: SubscriptionOrder = .name, limit: Int? = nil,
        at moment: Moment
    ) throws -> [SubscriptionSummary] {
        let summaries = try listByName(filter, limit: limit, at: moment)
        switch order {
        case .name: return summaries
        case .next: return summaries.indices(by: { $0.nextBillingOn?.daysSinceEpoch ?? .max }).map { summaries[$0] }
        case .amount, .yearly:
            let amounts = summaries.map { order == .amount ? $0.amount : $0.annualAmount }
            let weights = try store.rates.weights(of: Set(amounts.map(\.currency)), at: moment)
            return AmountOrder(weights).indices(amounts).map { summaries[$0] }
        }
    }

    private func listByName(
        _ filter: SubscriptionFilter, limit: Int?, at moment: Moment
    ) throws -> [SubscriptionSummary] {
        let search = filter.search.map { NameSearch($0) }
        return try store.read(at: moment) { session in
            var summaries: [SubscriptionSummary] = []
            var currencies = CurrencyCache()
            var categories = CategoryCache()
            let table = SubscriptionTable(session)
            var bundles: [UUID: Subscription] = [:]
            var parts: Set<UUID>?
            let isWhole = filter == SubscriptionFilter()
            if isWhole, limit == nil { summaries.reserveCapacity(1024) }
            try session.forEach(Self.listSQL, [.count(isWhole ? limit ?? -1 : -1)]) { row in
                if let limit, summaries.count == limit { return }
                if let search, !search.finds(name: try row.text(2), folded: try row.text(9)) { return }
                let category = try categories.category(try row.text(6))
                if let wanted = filter.category, wanted != category { return }
                let scope: SubscriptionScope = try row.integer(12) != 0 ? .pro : .personal
                if let wanted = filter.scope, wanted != scope { return }
                var status = try StatusCode.status(try row.integer(7))
                let due = try row.optionalDay(13)
                if let last = filter.renewsThrough { guard let due, due <= last else { return } }
                guard let cycle = CycleCode.cycle(try row.integer(5)) else { throw SQLError.malformed("cycle") }
                var next = try row.optionalDay(8)
                let id = try row.halvedUUID(0)
                var isBundled = false
                // Not charged, and not over by itself: paused, or a part of a bundle, which may be over.
                if due == nil, !status.isOver || next != nil {
                    let known = try parts ?? table.parts()
                    parts = known
                    if known.contains(id) {
                        (status, next, isBundled) = try table.standing(
                            of: try table.load(id), on: moment.today, &bundles)
                    }
                }
                if let wanted = filter.status, wanted != status { return }
                summaries.append(
                    SubscriptionSummary(
                        id: id, name: try row.text(2),
                        amount: Money(
                            minorUnits: try row.integer(3), currency: try currencies.currency(try row.integer(4))),
                        cycle: cycle, nextBillingOn: next, scope: scope, category: category,
                        status: status,
                        cancelsOn: try row.optionalDay(10), isVariable: try row.integer(11) != 0,
                        isBundled: isBundled, isOnHold: status == .paused && due == nil))
            }
            return summaries
        }
    }

    private static let listSQL = """
        SELECT id_high, id_low, name, amount, currency, cycle, category, status, next_day, sort_name, \
        cancel_day, is_variable, is_pro, due_day FROM standings ORDER BY sort_name, id_high, id_low LIMIT ?
        """

    /// One subscription as ``list(_:by:limit:at:)`` returns it. Throws ``DeviceStoreError/notFound(_:id:)``.
    public func summary(_ id: UUID, at moment: Moment) throws -> SubscriptionSummary {
        try store.read(at: moment) { try SubscriptionTable($0).summary(id, on: moment.today) }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func load(_ id: UUID) throws -> Subscription { try store.read { try SubscriptionTable($0).load(id) } }

    /// All subscriptions, in the order of their entry, which is the same on all devices.
    public func all() throws -> [Subscription] {
        try store.read { try SubscriptionTable($0).all().map(\.subscription) }
    }

    /// The currency of a new subscription that names none: the home currency, else the only one of the others; nil when
    /// there is no such one.
    public func usualCurrency() throws -> Currency? { try store.read(Self.usualCurrency) }

    static func usualCurrency(_ session: any SQLSession) throws -> Currency? {
        if let home = try Settings(session).value(UserSetting.homeCurrency.rawValue) { return Currency(code: home) }
        let used = try session.query("SELECT DISTINCT currency FROM subscriptions LIMIT 2", []) { try $0.text(0) }
        return used.count == 1 ? Currency(code: used[0]) : nil
    }

    /// Ids with this prefix, at most ten.
    public func ids(beginning prefix: String) throws -> [UUID] {
        let sql = "SELECT id FROM subscriptions WHERE lower(hex(id)) LIKE ? || '%' ORDER BY id LIMIT 10"
        let digits = prefix.lowercased().filter { $0 != "-" }
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else { return [] }
        return try store.read { try $0.query(sql, [.text(digits)]) { try $0.uuid(0) } }
    }

    // MARK: Changes

    /// Adds a subscription. Throws the faults of all fields. More than five subscriptions and custom categories require
    /// premium. Without an `id`, it gets a new one; throws ``DeviceStoreError/duplicate(_:id:)`` for one that is there.
    @discardableResult
    public func add(_ draft: SubscriptionDraft, id: UUID? = nil, at moment: Moment) throws -> Subscription {
        try store.write(at: moment, as: .subscriptionAdded) { unit in
            let id = id ?? store.makeID(moment)
            let subscription: Subscription
            do throws(Fault) {
                subscription = try Subscription.make(draft, id: id, today: moment.today, now: moment.now)
            } catch {
                let faults = Subscription.faults(making: draft, id: id, today: moment.today, now: moment.now)
                throw DeviceStoreError.of(faults) ?? .invalid(error)
            }
            try unit.add(subscription)
            return subscription
        }
    }

    /// Changes fields of a subscription. Changes nothing when one of them breaks a rule; throws the faults of all
    /// fields.
    @discardableResult
    public func edit(_ id: UUID, _ draft: SubscriptionDraft, at moment: Moment) throws -> Subscription {
        try store.write(at: moment, as: .subscriptionEdited) { try $0.edit(id, draft) }
    }

    /// Deletes a subscription with its ledger, prices, states and share, and removes links to it: subscriptions that it
    /// included are charged by themselves again, and are returned as far as anything is charged; sorted by name.
    @discardableResult
    public func delete(_ id: UUID, at moment: Moment) throws -> [SubscriptionSummary] {
        try store.write(at: moment, as: .subscriptionDeleted) { unit in
            let subscription = try unit.subscriptions.load(id)
            let parts = try unit.subscriptions.parts(of: id)
            try unit.remove(subscription)
            try unit.noteRemoved(subscription)
            return try parts.map { try unit.subscriptions.summary($0.id, on: moment.today) }
                .filter { $0.nextBillingOn != nil && !$0.isOnHold }
        }
    }

    /// Sets the price from a day, which may be in the past, until the next dated price; in the currency of that day.
    @discardableResult
    public func setPrice(_ id: UUID, _ amount: String, from day: CalendarDay, at moment: Moment) throws -> Subscription
    {
        try change(id, .priceSet, at: moment) { subscription in
            let amount = try FieldRules.positive(
                try FieldRules.amount(amount, subscription.price(on: day).currency), field: "amount")
            subscription.setPrice(amount, from: day)
        }
    }

    /// Takes back the price that begins on a day: the one before it holds on.
    @discardableResult
    public func removePrice(_ id: UUID, from day: CalendarDay, at moment: Moment) throws -> Subscription {
        try change(id, .priceSet, at: moment) { try $0.removePrice(from: day) }
    }

    /// Pauses from a day, through a last day or until it is resumed; see `Subscription.pause(from:through:)`.
    @discardableResult
    public func pause(
        _ id: UUID, from day: CalendarDay, through last: CalendarDay? = nil, at moment: Moment
    ) throws -> Subscription {
        try change(id, .stateSet, pausedFrom: day, at: moment) { try $0.pause(from: day, through: last) }
    }

    /// Takes back the pause that begins on a day.
    @discardableResult
    public func removePause(_ id: UUID, from day: CalendarDay, at moment: Moment) throws -> Subscription {
        try change(id, .stateSet, at: moment) { try $0.removePause(from: day) }
    }

    /// Sets a state from a day. Billing days stay the same. Cancelling what is cancelled already corrects the date; a
    /// pause of what is cancelled is refused.
    @discardableResult
    public func setState(
        _ id: UUID, _ state: SubscriptionState, from day: CalendarDay, at moment: Moment
    ) throws -> Subscription {
        try change(id, .stateSet, pausedFrom: state == .paused ? day : nil, at: moment) { subscription in
            if state == .paused {
                try subscription.pause(from: day, through: nil)
            } else {
                subscription.setState(state, from: day)
            }
        }
    }

    /// Cancels a subscription, or corrects the date of its cancellation. `day` is the first day that is no longer
    /// charged. Nil stands for today or, when a contract or notice period still costs something, for the day after it:
    /// these charges stay in the forecast.
    @discardableResult
    public func cancel(_ id: UUID, on day: CalendarDay? = nil, at moment: Moment) throws -> Cancellation {
        try store.write(at: moment, as: .stateSet) { unit in
            var subscription = try unit.subscriptions.load(id)
            let running = subscription.uncancelled
            let item = try subscription.catalogueItemID.flatMap(unit.catalogue(store.starter).item)
            let notice = item?.noticeDays
            let commitment = running.commitment(cancelledOn: moment.today, catalogueNotice: notice)
            let from = day ?? running.cancellationDay(today: moment.today, catalogueNotice: notice)
            subscription.setState(.cancelled, from: from)
            subscription = try subscription.validated()
            try unit.save(subscription)
            let staying = commitment.map { subscription.charged(from: moment.today, through: $0.through) } ?? []
            return Cancellation(
                on: from, commitment: commitment.flatMap { $0.amounts.isEmpty ? nil : $0 }, inForecast: staying,
                route: subscription.cancellationRoute(item), noticeDays: subscription.contract.noticeDays,
                parts: try unit.subscriptions.parts(endingWith: id, on: from, today: moment.today))
        }
    }

    /// Where to cancel a subscription; nil when it is not known.
    public func cancellationRoute(_ subscription: Subscription) throws -> CancellationRoute? {
        try store.read { session in
            let catalogue = CatalogueTable(session: session, starter: store.starter)
            return subscription.cancellationRoute(try subscription.catalogueItemID.flatMap(catalogue.item))
        }
    }

    private func change(
        _ id: UUID, _ kind: JournalKind, pausedFrom: CalendarDay? = nil, at moment: Moment,
        _ body: (inout Subscription) throws -> Void
    ) throws -> Subscription {
        try store.write(at: moment, as: kind) { unit in
            unit.pausedFrom = pausedFrom
            var subscription = try unit.subscriptions.load(id)
            try body(&subscription)
            subscription = try subscription.validated()
            try unit.save(subscription)
            return subscription
        }
    }
}

extension UnitOfWork {
    /// - Parameter hasHistory: whether what was charged before the day of entry is written by the caller.
    package func add(_ subscription: Subscription, hasHistory: Bool = false) throws {
        guard try subscriptions.number(of: subscription.id) == nil else {
            throw DeviceStoreError.duplicate(.subscription, id: subscription.id.lowercased)
        }
        let gate = PremiumGate(isPremium: try isPremium)
        try gate.requireRoom(forAdding: 1, to: presentSubscriptions())
        try gate.requireCategory(subscription.category)
        try save(subscription)
        // A status without a date does not say what was charged until now.
        if !hasHistory, !subscription.hasState(from: today) {
            try recordHistory(of: subscription, startedUntilNow: nil)
        }
        try noteAdded(subscription)
    }

    /// Whether a subscription has charges of the past, by whatever schedule, or confirmed ones.
    func wasCharged(_ id: UUID) throws -> Bool {
        guard let number = try subscriptions.number(of: id) else { return false }
        let sql = """
            SELECT 1 FROM ledger WHERE subscription = ? AND (due_day < ? AND withheld IS NULL OR fate IN (1, 2)) LIMIT 1
            """
        return try session.first(sql, [.integer(number), .day(today)]) { _ in true } ?? false
    }

    func edit(_ id: UUID, _ draft: SubscriptionDraft) throws -> Subscription {
        var subscription = try subscriptions.load(id)
        let (category, startedOn) = (subscription.category, subscription.startedOn)
        let (former, wasCharged) = (subscription, try wasCharged(id))
        do throws(Fault) {
            try subscription.edit(draft, today: today, wasCharged: wasCharged)
        } catch {
            let faults = former.faults(editing: draft, today: today, wasCharged: wasCharged)
            throw DeviceStoreError.of(faults) ?? .invalid(error)
        }
        try PremiumGate(isPremium: try isPremium).requireCategory(subscription.category, current: category)
        try save(subscription)
        try recordHistory(of: subscription, startedUntilNow: startedOn)
        return subscription
    }
}

/// The effect of cancelling a subscription.
public struct Cancellation: Sendable, Hashable {
    /// The first day that is no longer charged.
    public var on: CalendarDay
    /// What the contract or notice period still costs; nil when nothing more is owed.
    public var commitment: Commitment?
    /// The part of the commitment that the forecast still holds, one amount per currency. Less than the commitment when
    /// an earlier date was asked for.
    public var inForecast: [Money]
    /// Where to cancel; nil when it is not known.
    public var route: CancellationRoute?
    /// The notice period in days; 0 for none.
    public var noticeDays: Int
    /// What ends with it; see ``DeviceStore/Subscriptions/parts(endingWith:on:at:)``.
    public var parts: [SubscriptionSummary]
}

/// A subscription as shown in lists, on a given day.
public struct SubscriptionSummary: Sendable, Hashable, Identifiable {
    /// Of the subscription.
    public var id: UUID
    /// The name as entered, without blanks around it: 1 to 200 characters.
    public var name: String
    /// The price on that day.
    public var amount: Money
    /// How often it is charged.
    public var cycle: BillingCycle
    /// The next charge; nil when nothing more is charged. For a paused or included subscription, the day on which it
    /// would be charged otherwise.
    public var nextBillingOn: CalendarDay?
    /// Whether it is for work or personal.
    public var scope: SubscriptionScope
    /// The category, built in or the user's own.
    public var category: SubscriptionCategory
    /// On the day of the list. A part of a bundle that is over has ended with it.
    public var status: SubscriptionStatus
    /// The first day of a cancellation that is still to come.
    public var cancelsOn: CalendarDay?
    /// Whether the amount is an estimate.
    public var isVariable = false
    /// Whether it runs or is paused, but is paid through another one: its own price is not charged.
    public var isBundled = false
    /// Whether it is paused, and not charged until it is resumed.
    public var isOnHold = false

    /// 0 when nothing more is charged, or it is paid through another one, so that the amounts of what runs add up to
    /// the total.
    public var annualAmount: Money { isCounted ? amount.annual(cycle) : none }
    /// A twelfth of the yearly amount.
    public var monthlyAmount: Money { isCounted ? amount.monthly(cycle) : none }

    private var isCounted: Bool { nextBillingOn != nil && !isBundled }
    private var none: Money { Money(minorUnits: 0, currency: amount.currency) }
}

/// A search text for names.
struct NameSearch {
    /// Compared with folded names; nil for a text without letters or digits.
    private let folded: String?
    private let raw: String

    init(_ text: String) {
        raw = CatalogueRules.trimmed(text)
        let folded = TextFolding.fold(text)
        let hasWords = folded.unicodeScalars.contains { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        self.folded = hasWords || raw.isEmpty ? folded : nil
    }

    /// - Parameters:
    ///   - name: as entered.
    ///   - foldedName: the result of ``TextFolding``.
    func finds(name: String, folded foldedName: String) -> Bool {
        guard let folded else { return name.contains(raw) }
        return folded.isEmpty || foldedName.contains(folded)
    }
}

/// The order of a list. The raw value is the name of the flag.
public enum SubscriptionOrder: String, Sendable, Hashable, CaseIterable {
    /// The name, ignoring case and accents; the default.
    case name
    /// The next charge, soonest first; what is no longer charged comes last.
    case next
    /// The price of a charge, highest first: by its value in the home currency, then what has none, by currency.
    case amount
    /// The cost per year, as with ``amount``.
    case yearly
}

extension [SubscriptionSummary] {
    /// Places are sorted, which are much lighter than what stands there. The order of names remains among equals.
    fileprivate func indices(by key: (SubscriptionSummary) -> Int) -> [Int] {
        let keys = map(key)
        return indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    }
}

/// The highest amount first: by its value in the home currency, then what has none, by currency.
package struct AmountOrder {
    private let weights: [Currency: Double]

    /// - Parameter weights: what `DeviceStore.Rates.weights(of:at:)` returns.
    package init(_ weights: [Currency: Double]) { self.weights = weights }

    /// The places of amounts in that order; of equal ones, the first comes first.
    func indices(_ amounts: [Money]) -> [Int] {
        amounts.indices.sorted { isBefore(amounts[$0], amounts[$1]) ?? ($0 < $1) }
    }

    /// Nil for amounts that are equal.
    package func isBefore(_ one: Money, _ other: Money) -> Bool? {
        if one.currency == other.currency {
            return one.minorUnits == other.minorUnits ? nil : one.minorUnits > other.minorUnits
        }
        switch (weights[one.currency], weights[other.currency]) {
        case (nil, nil): return one.currency.code < other.currency.code
        case (nil, _): return false
        case (_, nil): return true
        case (let left?, let right?):
            let (left, right) = (left * Double(one.minorUnits), right * Double(other.minorUnits))
            return left == right ? nil : left > right
        }
    }
}

/// A filter for lists; nil means no restriction.
public struct SubscriptionFilter: Sendable, Hashable {
    /// For work or personal only.
    public var scope: SubscriptionScope?
    /// This category only.
    public var category: SubscriptionCategory?
    /// This status on the day of the list only.
    public var status: SubscriptionStatus?
    /// Text that the name must contain; case and accents are ignored.
    public var search: String?
    /// The last day on which the next charge may be.
    public var renewsThrough: CalendarDay?

    /// Without arguments, all subscriptions pass.
    public init(
        scope: SubscriptionScope? = nil, category: SubscriptionCategory? = nil, status: SubscriptionStatus? = nil,
        search: String? = nil, renewsThrough: CalendarDay? = nil
    ) {
        self.renewsThrough = renewsThrough
        self.scope = scope
        self.category = category
        self.status = status
        self.search = search
    }
}
