public import Foundation

/// A stored subscription with what is known of its charges, for comparison with statements.
public struct KnownSubscription: Sendable {
    public var subscription: Subscription
    /// The ledger, by due day.
    public var ledger: [CalendarDay: LedgerFact]

    /// What the ledger says about a charge.
    public struct LedgerFact: Sendable, Hashable {
        public var fate: OccurrenceFate
        /// Nil when the price of the day counts.
        public var paid: Money?

        public init(fate: OccurrenceFate, paid: Money?) {
            self.fate = fate
            self.paid = paid
        }
    }

    public init(_ subscription: Subscription, ledger: [CalendarDay: LedgerFact]) {
        self.subscription = subscription
        self.ledger = ledger
    }
}

/// Compares statements with the stored subscriptions: what they confirm, what has changed, and what is new.
///
/// Reading the same statement again finds nothing to confirm. What the user entered is never overwritten.
public struct StatementReconciliation: Sendable {
    /// A charge of a stored subscription that the statement proves.
    public struct Confirmation: Sendable, Hashable, Identifiable {
        public var occurrence: OccurrenceID
        public var name: String
        public var charge: StatementCharge

        /// The id of the occurrence.
        public var id: String { occurrence.wire }
    }

    /// A new price of a stored subscription.
    public struct PriceChange: Sendable, Hashable, Identifiable {
        public var subscriptionID: UUID
        public var name: String
        /// The day of the first charge at the new price.
        public var on: CalendarDay
        public var from: Money
        public var to: Money

        /// The id of the subscription, the day and the new price.
        public var id: String { "\(subscriptionID.lowercased):\(on.iso):\(to.minorUnits)" }
    }

    /// A charge of a subscription that was cancelled or has ended.
    public struct ChargeAfterCancelling: Sendable, Hashable {
        public var subscriptionID: UUID
        public var name: String
        public var charge: StatementCharge
    }

    public private(set) var confirmed: [Confirmation] = []
    public private(set) var priceChanges: [PriceChange] = []
    public private(set) var chargedAfterCancelling: [ChargeAfterCancelling] = []
    public private(set) var proposals: [StatementProposal] = []

    /// - Parameter items: the services of the catalogue by id, for subscriptions that are linked to one.
    public init(_ charges: RecurringCharges, known: [KnownSubscription], catalogue: PayeeCatalogue) {
        var rest: [Int: RecurringCharges.Group?] = [:]
        let payees = charges.payees
        let renamed = known.map { Self.payee(of: $0, among: payees, catalogue) }
        for (place, group) in payees.enumerated() {
            let matching = zip(known, renamed).filter { known, renamed in
                renamed == place || Self.isNamed(known.subscription, by: group, catalogue)
            }.map(\.0)
            guard !matching.isEmpty else { continue }
            let left = take(group, matching)
            // What is left at about the price of a known one is that one on other days, and not another subscription.
            let prices = matching.flatMap { [$0.subscription.price] + $0.subscription.prices.map(\.amount) }
            let other = left.filter { charge in
                !prices.contains { RecurringSeries.isRise(from: $0.minorUnits, to: charge.amount.minorUnits) }
            }
            rest[place] = group.keeping(Set(other))
        }
        proposals = charges.proposals { place, group in rest[place] ?? group }
        confirmed.sort { ($0.charge.on, $0.name) < ($1.charge.on, $1.name) }
        priceChanges.sort { ($0.on, $0.name) < ($1.on, $1.name) }
        chargedAfterCancelling.sort { ($0.charge.on, $0.name) < ($1.charge.on, $1.name) }
    }

    // MARK: Which subscription

    /// Whether a payee is that of a subscription by the catalogue or by its name.
    private static func isNamed(
        _ subscription: Subscription, by group: RecurringCharges.Group, _ catalogue: PayeeCatalogue
    ) -> Bool {
        guard isComparable(subscription, with: group) else { return false }
        if let item = group.item, item.id == subscription.catalogueItemID { return true }
        let name = PayeeName(subscription.name)
        if !name.key.isEmpty, name.key == group.payee.key { return true }
        if subscription.catalogueItemID == nil, let item = group.item, catalogue.item(name)?.id == item.id {
            return true
        }
        return false
    }

    /// The payee of a subscription whose name says nothing: the one with the most charges that the ledger has, of the
    /// same amounts and days, two at least. Nil when another payee has the name, or when the catalogue would tell.
    private static func payee(
        of known: KnownSubscription, among groups: [RecurringCharges.Group], _ catalogue: PayeeCatalogue
    ) -> Int? {
        let subscription = known.subscription
        guard subscription.catalogueItemID == nil, !groups.contains(where: { isNamed(subscription, by: $0, catalogue) })
        else { return nil }
        let tolerance = Int(BookingRhythm.tolerance(of: subscription.cycle).rounded(.up))
        let hits = groups.map { group in
            guard isComparable(subscription, with: group) else { return 0 }
            return group.found.count { charge in
                guard let due = subscription.schedule.nearest(charge.on), abs(due.days(until: charge.on)) <= tolerance
                else { return false }
                return known.ledger[due]?.paid == charge.amount
            }
        }
        guard let most = hits.max(), most >= 2 else { return nil }
        return hits.firstIndex(of: most)
    }

    private static func isComparable(_ subscription: Subscription, with group: RecurringCharges.Group) -> Bool {
        subscription.currency == group.currency && subscription.bundledIn == nil
    }

    // MARK: Which charge

    private struct Slot: Hashable {
        var place: Int
        var due: CalendarDay
    }

    /// Assigns the charges of a payee to its subscriptions; returns those that belong to none.
    private mutating func take(_ group: RecurringCharges.Group, _ known: [KnownSubscription]) -> [StatementCharge] {
        var left: [StatementCharge] = []
        var taken: [Slot: StatementCharge] = [:]
        for charge in group.found {
            let slots = known.indices.compactMap { place -> (slot: Slot, cost: Int64)? in
                let subscription = known[place].subscription
                guard let due = subscription.schedule.nearest(charge.on) else { return nil }
                let distance = abs(due.days(until: charge.on))
                let price = subscription.price(on: due).minorUnits
                guard distance <= Int(BookingRhythm.tolerance(of: subscription.cycle).rounded(.up)),
                    subscription.isVariable || RecurringSeries.isRise(from: price, to: charge.amount.minorUnits),
                    taken[Slot(place: place, due: due)] == nil
                else { return nil }
                let difference = abs(price - charge.amount.minorUnits)
                return (Slot(place: place, due: due), difference * 100 + Int64(distance))
            }
            if let best = slots.min(by: { ($0.cost, $0.slot.place) < ($1.cost, $1.slot.place) }) {
                taken[best.slot] = charge
            } else {
                left.append(charge)
            }
        }
        for place in known.indices {
            let charges = taken.filter { $0.key.place == place }.map { (due: $0.key.due, charge: $0.value) }
                .sorted { $0.due < $1.due }
            note(charges, of: known[place])
        }
        return left
    }

    private mutating func note(
        _ charges: [(due: CalendarDay, charge: StatementCharge)], of known: KnownSubscription
    ) {
        let subscription = known.subscription
        var regular: [(due: CalendarDay, charge: StatementCharge)] = []
        for (due, charge) in charges {
            let status = subscription.status(on: due)
            if status == .cancelled || status == .ended, known.ledger[due] == nil {
                if !charge.isRefunded {
                    chargedAfterCancelling.append(
                        ChargeAfterCancelling(subscriptionID: subscription.id, name: subscription.name, charge: charge))
                }
                continue
            }
            if !charge.isRefunded { regular.append((due, charge)) }
            guard isNews(charge, to: known.ledger[due], price: subscription.price(on: due)) else { continue }
            confirmed.append(
                Confirmation(
                    occurrence: OccurrenceID(subscriptionID: subscription.id, billingOn: due),
                    name: subscription.name, charge: charge))
        }
        notePrice(regular, of: subscription)
    }

    private func isNews(_ charge: StatementCharge, to fact: KnownSubscription.LedgerFact?, price: Money) -> Bool {
        switch fact?.fate {
        case nil, .open, .assumed: true
        case .skipped: false
        // An amount that the user entered stays.
        case .confirmed, .late: fact?.paid == nil && price != charge.amount
        }
    }

    /// The amount of the last charges is the price from the first of them on, unless a later price is set already.
    private mutating func notePrice(
        _ charges: [(due: CalendarDay, charge: StatementCharge)], of subscription: Subscription
    ) {
        guard !subscription.isVariable, let amount = charges.last?.charge.amount,
            let first = charges.reversed().prefix(while: { $0.charge.amount == amount }).last
        else { return }
        let former = subscription.price(on: first.due)
        guard former != amount, !subscription.prices.contains(where: { $0.from > first.due }) else { return }
        priceChanges.append(
            PriceChange(
                subscriptionID: subscription.id, name: subscription.name, on: first.due, from: former, to: amount))
    }
}

extension BillingSchedule {
    /// The billing day nearest to a day, also before the anchor; nil outside the supported years.
    func nearest(_ day: CalendarDay) -> CalendarDay? {
        var schedule = self
        switch cycle.step {
        case .once: return anchor
        case .days(let count):
            if day < anchor {
                let steps = day.days(until: anchor) / count + 1
                schedule.anchor = anchor.adding(days: -steps * count)
            }
        case .months(let count):
            if day < anchor {
                let steps = (day.days(until: anchor) / 28 + 1) / count + 1
                return (0...steps).map { anchor.adding(months: -count * $0, anchorDay: anchor.day) }
                    .min { abs($0.days(until: day)) < abs($1.days(until: day)) }
            }
        }
        let near = [schedule.last(before: day), schedule.next(onOrAfter: day)].compactMap { $0 }
        return near.min { abs($0.days(until: day)) < abs($1.days(until: day)) }
    }
}

extension StatementProposal {
    /// The day on which a charge was due, within the delay of its cycle; else the day of booking.
    public func due(_ charge: StatementCharge) -> CalendarDay {
        let tolerance = Int(BookingRhythm.tolerance(of: cycle).rounded(.up))
        guard let due = schedule.nearest(charge.on), abs(due.days(until: charge.on)) <= tolerance else {
            return charge.on
        }
        return due
    }

    /// The subscription that the proposal stands for, with its prices and its end.
    ///
    /// - Parameter today: billing days before it are not expected; the ledger has those of the statement.
    public func subscription(id: UUID, today: CalendarDay, now: UTCInstant) throws(Fault) -> Subscription {
        let first = charges.first.map { due($0) } ?? schedule.anchor
        var subscription = Subscription(
            id: id, name: Self.name(name), price: prices.first?.amount ?? amount, schedule: schedule,
            startedOn: min(first, today), createdAt: now)
        subscription.trackedFrom = max(subscription.startedOn, today)
        for price in prices.dropFirst() { subscription.placePrice(price.amount, from: priceDay(price.from)) }
        subscription.isVariable = isVariable
        if let item {
            subscription.scope = SubscriptionScope(catalogue: item.category)
            subscription.category = SubscriptionCategory(catalogue: item.category)
        }
        subscription.catalogueItemID = item?.id
        subscription.website = item?.website ?? ""
        subscription.contract.noticeDays = item?.noticeDays ?? 0
        if let endedOn { subscription.setState(.cancelled, from: endedOn) }
        return try subscription.validated()
    }

    /// A price holds from the day that was due, not from the day of booking.
    private func priceDay(_ booked: CalendarDay) -> CalendarDay {
        charges.first { $0.on == booked }.map { due($0) } ?? booked
    }

    /// What a bank writes need not be a valid name.
    private static func name(_ text: String) -> String {
        (try? FieldRules.name(String(text.prefix(80)), field: "name")) ?? "Subscription"
    }
}
