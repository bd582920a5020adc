public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Subscriptions {
    /// Lists subscriptions alphabetically.
    ///
    /// - Parameter limit: nil for all.
    public func list(
        _ filter: SubscriptionFilter = SubscriptionFilter(), limit: Int? = nil, at moment: Moment
    ) throws -> [SubscriptionSummary] {
        let search = filter.search.map { NameSearch($0) }
        let wantedStatus = filter.status.map { Int64(StatusCode.code($0)) }
        return try store.read(at: moment) { session in
            var summaries: [SubscriptionSummary] = []
            var currencies = CurrencyCache()
            var categories = CategoryCache()
            let isWhole = filter == SubscriptionFilter()
            if isWhole, limit == nil { summaries.reserveCapacity(1024) }
            try session.forEach(Self.listSQL, [.count(isWhole ? limit ?? -1 : -1)]) { row in
                if let limit, summaries.count == limit { return }
                let code = try row.integer(7)
                if let wantedStatus, wantedStatus != code { return }
                if let search, !search.finds(name: try row.text(2), folded: try row.text(9)) { return }
                let category = try categories.category(try row.text(6))
                if let wanted = filter.category, wanted != category { return }
                let scope: SubscriptionScope = try row.integer(12) != 0 ? .pro : .personal
                if let wanted = filter.scope, wanted != scope { return }
                let status = try StatusCode.status(code)
                guard let cycle = CycleCode.cycle(try row.integer(5)) else { throw SQLError.malformed("cycle") }
                summaries.append(
                    SubscriptionSummary(
                        id: try row.halvedUUID(0), name: try row.text(2),
                        amount: Money(
                            minorUnits: try row.integer(3), currency: try currencies.currency(try row.integer(4))),
                        cycle: cycle, nextBillingOn: try row.optionalDay(8), scope: scope, category: category,
                        status: status,
                        cancelsOn: try row.optionalDay(10), isVariable: try row.integer(11) != 0))
            }
            return summaries
        }
    }

    private static let listSQL = """
        SELECT id_high, id_low, name, amount, currency, cycle, category, status, next_day, sort_name, \
        cancel_day, is_variable, is_pro FROM standings ORDER BY sort_name, id_high, id_low LIMIT ?
        """

    public func summary(_ id: UUID, at moment: Moment) throws -> SubscriptionSummary {
        let subscription = try store.read(at: moment) { try SubscriptionTable($0).load(id) }
        return SubscriptionSummary(
            id: id, name: subscription.name, amount: subscription.price(on: moment.today), cycle: subscription.cycle,
            nextBillingOn: subscription.comingBilling(onOrAfter: moment.today), scope: subscription.scope,
            category: subscription.category,
            status: subscription.status(on: moment.today),
            cancelsOn: subscription.cancelsOn(after: moment.today), isVariable: subscription.isVariable)
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func load(_ id: UUID) throws -> Subscription { try store.read { try SubscriptionTable($0).load(id) } }

    /// All subscriptions, in the order of their entry, which is the same on all devices.
    public func all() throws -> [Subscription] {
        try store.read { try SubscriptionTable($0).all().map(\.subscription) }
    }

    /// Ids with this prefix, at most ten.
    public func ids(beginning prefix: String) throws -> [UUID] {
        let sql = "SELECT id FROM subscriptions WHERE lower(hex(id)) LIKE ? || '%' ORDER BY id LIMIT 10"
        let digits = prefix.lowercased().filter { $0 != "-" }
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else { return [] }
        return try store.read { try $0.query(sql, [.text(digits)]) { try $0.uuid(0) } }
    }

    // MARK: Changes

    /// Adds a subscription. More than five subscriptions and custom categories require premium.
    @discardableResult
    public func add(_ draft: SubscriptionDraft, at moment: Moment) throws -> Subscription {
        try store.write(at: moment, as: .subscriptionAdded) { unit in
            let subscription = try Subscription.make(
                draft, id: store.makeID(moment), today: moment.today, now: moment.now)
            try unit.add(subscription)
            return subscription
        }
    }

    /// Changes fields of a subscription. Changes nothing when one of them breaks a rule.
    @discardableResult
    public func edit(_ id: UUID, _ draft: SubscriptionDraft, at moment: Moment) throws -> Subscription {
        try store.write(at: moment, as: .subscriptionEdited) { try $0.edit(id, draft) }
    }

    /// Deletes a subscription with its ledger, prices, states and share, and removes links to it: subscriptions that it
    /// included are charged by themselves again.
    public func delete(_ id: UUID, at moment: Moment) throws {
        try store.write(at: moment, as: .subscriptionDeleted) { unit in
            let subscription = try unit.subscriptions.load(id)
            try unit.remove(subscription)
            try unit.noteRemoved(subscription)
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

    /// Sets a state from a day. Billing days stay the same. Cancelling what is cancelled already corrects the date.
    @discardableResult
    public func setState(
        _ id: UUID, _ state: SubscriptionState, from day: CalendarDay, at moment: Moment
    ) throws -> Subscription {
        try change(id, .stateSet, at: moment) { $0.setState(state, from: day) }
    }

    private func change(
        _ id: UUID, _ kind: JournalKind, at moment: Moment, _ body: (inout Subscription) throws -> Void
    ) throws -> Subscription {
        try store.write(at: moment, as: kind) { unit in
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
    func add(_ subscription: Subscription, hasHistory: Bool = false) throws {
        let gate = PremiumGate(isPremium: try isPremium)
        let present = try session.first("SELECT count(*) FROM subscriptions", []) { Int(try $0.integer(0)) } ?? 0
        try gate.requireRoom(forAdding: 1, to: present)
        try gate.requireCategory(subscription.category)
        guard try subscriptions.number(of: subscription.id) == nil else {
            throw DeviceStoreError.duplicate(.subscription, id: subscription.id.lowercased)
        }
        try save(subscription)
        if !hasHistory { try recordHistory(of: subscription, startedUntilNow: nil) }
        try noteAdded(subscription)
    }

    /// Whether a subscription has charges of the past, by whatever schedule.
    func wasCharged(_ id: UUID) throws -> Bool {
        guard let number = try subscriptions.number(of: id) else { return false }
        let sql = "SELECT 1 FROM ledger WHERE subscription = ? AND due_day < ? LIMIT 1"
        return try session.first(sql, [.integer(number), .day(today)]) { _ in true } ?? false
    }

    func edit(_ id: UUID, _ draft: SubscriptionDraft) throws -> Subscription {
        var subscription = try subscriptions.load(id)
        let (category, startedOn) = (subscription.category, subscription.startedOn)
        try subscription.edit(draft, today: today, wasCharged: try wasCharged(id))
        try PremiumGate(isPremium: try isPremium).requireCategory(subscription.category, current: category)
        try save(subscription)
        try recordHistory(of: subscription, startedUntilNow: startedOn)
        return subscription
    }

    /// Writes the charges of before the day of entry as rows of the ledger, so that they stay what they are when the schedule
    /// changes. After a later start, what was charged before it no longer counts; the rows stay, because a deleted one would
    /// return from another device.
    ///
    /// - Parameter former: the start until now; nil for a new subscription.
    func recordHistory(of subscription: Subscription, startedUntilNow former: CalendarDay?) throws {
        let number = try subscriptions.requireNumber(of: subscription.id)
        let entry = former ?? min(today, subscription.trackedFrom)
        let values: (OccurrenceFate) -> [SQLValue] = { [.count($0.rawValue), .null, .null, .null] }
        if subscription.startedOn < entry {
            for day in subscription.history(before: entry) {
                let key: [SQLValue] = [.integer(number), .day(day)]
                let row = try EntityTables.ledger.row(key, in: session)
                // Skipped by a later start that is taken back, or by the user.
                guard row == nil || row?.values == values(.skipped) else { continue }
                try EntityTables.ledger.save(key, values(.assumed), in: self)
            }
        } else if let former, subscription.startedOn > former {
            let sql = """
                SELECT due_day FROM ledger WHERE subscription = ? AND due_day < ? AND fate IN (0, 4) AND paid IS NULL
                """
            for day in try session.query(sql, [.integer(number), .day(subscription.startedOn)], { try $0.day(0) }) {
                try EntityTables.ledger.save([.integer(number), .day(day)], values(.skipped), in: self)
            }
        }
    }
}

/// A subscription as shown in lists, on a given day.
public struct SubscriptionSummary: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var name: String
    /// The price on that day.
    public var amount: Money
    public var cycle: BillingCycle
    /// The next charge; nil when nothing more is charged. For a paused or included subscription, the day on which it would be
    /// charged otherwise.
    public var nextBillingOn: CalendarDay?
    public var scope: SubscriptionScope
    public var category: SubscriptionCategory
    public var status: SubscriptionStatus
    /// The first day of a cancellation that is still to come.
    public var cancelsOn: CalendarDay?
    /// Whether the amount is an estimate.
    public var isVariable = false

    /// 0 when nothing more is charged.
    public var annualAmount: Money { nextBillingOn == nil ? none : amount.annual(cycle) }
    /// 0 when nothing more is charged.
    public var monthlyAmount: Money { nextBillingOn == nil ? none : amount.monthly(cycle) }

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

/// A filter for lists; nil means no restriction.
public struct SubscriptionFilter: Sendable, Hashable {
    public var scope: SubscriptionScope?
    public var category: SubscriptionCategory?
    public var status: SubscriptionStatus?
    /// Text that the name must contain; case and accents are ignored.
    public var search: String?

    public init(
        scope: SubscriptionScope? = nil, category: SubscriptionCategory? = nil, status: SubscriptionStatus? = nil,
        search: String? = nil
    ) {
        self.scope = scope
        self.category = category
        self.status = status
        self.search = search
    }
}
