public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore {
    /// Subscriptions by name.
    ///
    /// - Parameter limit: nil for all.
    public func list(
        _ filter: SubscriptionFilter = SubscriptionFilter(), limit: Int? = nil, at moment: Moment
    ) throws -> [SubscriptionSummary] {
        let search = filter.search.map { NameSearch($0) }
        let wantedStatus = filter.status.map { Int64(StatusCode.code($0)) }
        return try read(at: moment) { session in
            var summaries: [SubscriptionSummary] = []
            var currencies = CurrencyMemory()
            var categories = CategoryMemory()
            let isWhole = filter == SubscriptionFilter()
            if isWhole, limit == nil { summaries.reserveCapacity(1024) }
            try session.forEach(Self.listSQL, [.count(isWhole ? limit ?? -1 : -1)]) { row in
                if let limit, summaries.count == limit { return }
                let code = try row.integer(7)
                if let wantedStatus, wantedStatus != code { return }
                if let search, !search.finds(name: try row.text(2), folded: try row.text(9)) { return }
                let category = try categories.category(try row.text(6))
                if let wanted = filter.category, wanted != category { return }
                let status = try StatusCode.status(code)
                guard let cycle = CycleCode.cycle(try row.integer(5)) else { throw SQLError.malformed("cycle") }
                summaries.append(
                    SubscriptionSummary(
                        id: try row.halvedUUID(0), name: try row.text(2),
                        amount: Money(
                            minorUnits: try row.integer(3), currency: try currencies.currency(try row.integer(4))),
                        cycle: cycle, nextBillingOn: try row.optionalDay(8), category: category, status: status))
            }
            return summaries
        }
    }

    private static let listSQL = """
        SELECT id_high, id_low, name, amount, currency, cycle, category, status, next_day, sort_name FROM standings \
        ORDER BY sort_name, num LIMIT ?
        """

    public func summary(_ id: UUID, at moment: Moment) throws -> SubscriptionSummary {
        let subscription = try self.subscription(id)
        return SubscriptionSummary(
            id: id, name: subscription.name, amount: subscription.price(on: moment.today), cycle: subscription.cycle,
            nextBillingOn: subscription.comingBilling(onOrAfter: moment.today), category: subscription.category,
            status: subscription.status(on: moment.today))
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func subscription(_ id: UUID) throws -> Subscription { try read { try SubscriptionTable($0).load(id) } }

    /// Every subscription, in the order of entry.
    public func subscriptions() throws -> [Subscription] {
        try read { try SubscriptionTable($0).all().map(\.subscription) }
    }

    /// The ids that begin so, at most ten: what people type of an id.
    public func subscriptionIDs(beginning prefix: String) throws -> [UUID] {
        let sql = "SELECT id FROM subscriptions WHERE lower(hex(id)) LIKE ? || '%' LIMIT 10"
        let digits = prefix.lowercased().filter { $0 != "-" }
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else { return [] }
        return try read { try $0.query(sql, [.text(digits)]) { try $0.uuid(0) } }
    }

    // MARK: Changes

    /// Adds a subscription. Refused beyond the free tier and, without premium, with a category of one's own.
    @discardableResult
    public func add(_ draft: SubscriptionDraft, at moment: Moment) throws -> Subscription {
        try write(at: moment) { unit in
            let subscription = try Subscription.make(
                draft, id: makeID(moment), today: moment.today, now: moment.now)
            try unit.add(subscription)
            return subscription
        }
    }

    /// Changes fields of a subscription. Throws and changes nothing when one of them breaks a rule.
    @discardableResult
    public func edit(_ id: UUID, _ draft: SubscriptionDraft, at moment: Moment) throws -> Subscription {
        try write(at: moment) { try $0.edit(id, draft) }
    }

    /// Deletes a subscription with its ledger, prices, states and share; what it was linked to forgets it.
    public func deleteSubscription(_ id: UUID, at moment: Moment) throws {
        try write(at: moment) { unit in
            let subscription = try unit.subscriptions.load(id)
            try unit.session.execute(EntityTables.subscriptions.deleteSQL, [.uuid(id)])
            try unit.noteRemoved(subscription)
        }
    }

    /// Sets a price from a day on, past days included.
    @discardableResult
    public func setPrice(_ id: UUID, _ amount: String, from day: CalendarDay, at moment: Moment) throws -> Subscription
    {
        try change(id, at: moment) { subscription in
            let amount = try FieldRules.positive(
                try FieldRules.amount(amount, subscription.currency), field: "amount")
            subscription.setPrice(amount.minorUnits, from: day)
        }
    }

    /// Sets a state from a day on. Moves no billing day.
    @discardableResult
    public func setState(
        _ id: UUID, _ state: SubscriptionState, from day: CalendarDay, at moment: Moment
    ) throws -> Subscription {
        try change(id, at: moment) { $0.setState(state, from: day) }
    }

    private func change(
        _ id: UUID, at moment: Moment, _ body: (inout Subscription) throws -> Void
    ) throws -> Subscription {
        try write(at: moment) { unit in
            var subscription = try unit.subscriptions.load(id)
            try body(&subscription)
            subscription = try subscription.validated()
            try unit.save(subscription)
            return subscription
        }
    }
}

extension UnitOfWork {
    func add(_ subscription: Subscription) throws {
        let gate = PremiumGate(isPremium: try isPremium)
        let present = try session.first("SELECT count(*) FROM subscriptions", []) { Int(try $0.integer(0)) } ?? 0
        try gate.requireRoom(forAdding: 1, to: present)
        try gate.requireCategory(subscription.category)
        guard try subscriptions.number(of: subscription.id) == nil else {
            throw DeviceStoreError.duplicate(.subscription, id: subscription.id.lowercased)
        }
        try save(subscription)
        try noteAdded(subscription)
    }

    func edit(_ id: UUID, _ draft: SubscriptionDraft) throws -> Subscription {
        var subscription = try subscriptions.load(id)
        let category = subscription.category
        try subscription.edit(draft, today: today)
        try PremiumGate(isPremium: try isPremium).requireCategory(subscription.category, current: category)
        try save(subscription)
        return subscription
    }
}

/// Remembers the categories of a walk: there are few, so looking through them is faster than a hash or the rules.
struct CategoryMemory {
    private var known: [SubscriptionCategory] = SubscriptionCategory.builtIn

    mutating func category(_ wire: String) throws -> SubscriptionCategory {
        if let index = known.firstIndex(where: { $0.wire == wire }) {
            // The next one is likely to be the same or another frequent one.
            if index > 0 { known.swapAt(index, index - 1) }
            return known[max(index - 1, 0)]
        }
        let category = try SubscriptionCategory(wire)
        if known.count < 32 { known.append(category) }
        return category
    }
}
