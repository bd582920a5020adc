public import Foundation
public import SubGuardDomain

/// A stored subscription with what is known of its charges, for comparison with statements.
public struct KnownSubscription: Sendable {
    /// As it is stored.
    public var subscription: Subscription
    /// The ledger, by due day.
    public var ledger: [CalendarDay: LedgerFact]
    /// The days on which its prices were entered, by the first day of each dated one; `CalendarDay.earliest` stands
    /// for the initial price.
    public var pricesEnteredOn: [CalendarDay: CalendarDay]

    /// What the ledger says about a charge.
    public struct LedgerFact: Sendable, Hashable {
        /// Whether the user confirmed or skipped it, or neither.
        public var fate: OccurrenceFate
        /// Nil when the price of the day counts.
        public var paid: Money?

        /// Takes the fields as they are; nothing is checked.
        public init(fate: OccurrenceFate, paid: Money?) {
            self.fate = fate
            self.paid = paid
        }
    }

    /// Takes the fields as they are; nothing is checked.
    public init(
        _ subscription: Subscription, ledger: [CalendarDay: LedgerFact],
        pricesEnteredOn: [CalendarDay: CalendarDay] = [:]
    ) {
        self.subscription = subscription
        self.ledger = ledger
        self.pricesEnteredOn = pricesEnteredOn
    }

    /// Whether the price of a day is known from a later time than a statement: a later charge has this amount, or the
    /// price was entered after the schedule had another charge, which the statement does not have.
    ///
    /// The last charge of the statement was due on `last`; the price is that of `day`, and `schedule` has the charges.
    public func knowsPrice(of day: CalendarDay, after last: CalendarDay, _ schedule: BillingSchedule) -> Bool {
        let price = subscription.price(on: day)
        let charged = ledger.filter { [.confirmed, .late].contains($0.value.fate) && $0.value.paid == price }.keys.max()
        if let charged { return charged > last }
        let dated = subscription.prices.last { $0.from <= day }?.from
        guard let entered = pricesEnteredOn[dated ?? .earliest] else { return false }
        // A booking may be late.
        let tolerance = Int(BookingRhythm.tolerance(of: schedule.cycle).rounded(.up))
        let (first, end) = (last.adding(days: tolerance + 1), entered.adding(days: -tolerance))
        return first < end && !schedule.days(backTo: first, before: end).isEmpty
    }
}

/// Compares statements with the stored subscriptions: what they confirm, what has changed, and what is new.
///
/// Reading the same statement again finds nothing to confirm. What the user entered is never overwritten.
public struct StatementReconciliation: Sendable {
    /// A charge of a stored subscription that the statement proves.
    public struct Confirmation: Sendable, Hashable, Identifiable {
        /// The charge in the ledger, by its subscription and due day.
        public var occurrence: OccurrenceID
        /// The name of the subscription.
        public var name: String
        /// The charge in the statement.
        public var charge: StatementCharge

        /// The id of the occurrence.
        public var id: String { occurrence.wire }
    }

    /// A new price of a stored subscription.
    public struct PriceChange: Sendable, Hashable, Identifiable {
        /// The stored subscription.
        public var subscriptionID: UUID
        /// The name of the subscription.
        public var name: String
        /// The day of the first charge at the new price.
        public var on: CalendarDay
        /// The price of that day as it is stored.
        public var from: Money
        /// The price from that day on.
        public var to: Money

        /// The id of the subscription, the day and the new price.
        public var id: String { "\(subscriptionID.lowercased):\(on.iso):\(to.minorUnits)" }
    }

    /// A charge of a subscription that was cancelled or has ended.
    public struct ChargeAfterCancelling: Sendable, Hashable {
        /// The stored subscription.
        public var subscriptionID: UUID
        /// The name of the subscription.
        public var name: String
        /// The charge in the statement.
        public var charge: StatementCharge
    }

    /// A charge that was made twice within days.
    public struct ChargeTwice: Sendable, Hashable {
        /// Nil when the subscription is only proposed.
        public var subscriptionID: UUID?
        /// The id of the proposal; nil for a stored subscription.
        public var proposalID: String?
        /// The name of the subscription or of the proposal.
        public var name: String
        /// The second charge.
        public var charge: StatementCharge
    }

    /// A last charge of another amount than the price, which changes no price: it may be a fee, or the price was
    /// entered later.
    public struct OtherAmount: Sendable, Hashable {
        /// The stored subscription.
        public var subscriptionID: UUID
        /// The name of the subscription.
        public var name: String
        /// The day on which the charge was due.
        public var on: CalendarDay
        /// The amount of the charge.
        public var amount: Money
        /// The price of that day.
        public var usual: Money
        /// Whether the price is known from a later time than the statement.
        public var isOlder = false
    }

    /// Charges that the ledger does not have yet, or not with this amount; by day, then by name.
    public private(set) var confirmed: [Confirmation] = []
    /// How many charges are those of stored subscriptions, also such as the ledger has already.
    public private(set) var recognised = 0
    /// The stored subscriptions that they are of.
    public private(set) var recognisedIDs: Set<UUID> = []
    /// How many entries of the statements are of no subscription, stored or proposed.
    public private(set) var otherEntries = 0
    /// What came back, of stored subscriptions and of proposals, but of doubled charges; by day.
    public internal(set) var refunds: [StatementRefund] = []
    /// New prices, the latest 24 of each subscription at most; by day, then by name.
    public private(set) var priceChanges: [PriceChange] = []
    /// Last charges of another amount than the price that change no price; by day, then by name.
    public private(set) var otherAmounts: [OtherAmount] = []
    /// Charges of subscriptions that were cancelled or had ended; by day, then by name.
    public private(set) var chargedAfterCancelling: [ChargeAfterCancelling] = []
    /// Of stored subscriptions and of proposals.
    public private(set) var chargedTwice: [ChargeTwice] = []
    /// Subscriptions that are not stored yet: the surest first, then by name.
    public private(set) var proposals: [StatementProposal] = []
    /// Regular payments that are not proposed because of what they are.
    public let excluded: [StatementExclusion]

    /// Compares charges with the stored subscriptions. The catalogue tells which services these are linked to.
    public init(_ charges: RecurringCharges, known: [KnownSubscription], catalogue: PayeeCatalogue) {
        var rest: [Int: RecurringCharges.Group?] = [:]
        otherEntries = charges.entries
        let payees = charges.payees
        excluded = charges.excluded
        let renamed = known.map { Self.payee(of: $0, among: payees, catalogue) }
        let names = known.map { PayeeName($0.subscription.name) }
        for (place, group) in payees.enumerated() {
            let matches = known.indices.map { number -> Match in
                // Where nothing else tells who is paid, only a name that was entered like that.
                if group.isUnnamed, !Self.begins(group.payee, with: names[number]) { return .none }
                if renamed[number] == place { return .sure }
                return Self.match(known[number].subscription, names[number], Party(group), catalogue)
            }
            let matching = known.indices.filter { matches[$0] != .none }
            guard !matching.isEmpty else { continue }
            let taken = take(group, matching.map { known[$0] })
            // A name that is only similar says nothing when no charge fits.
            let sure = matching.filter { matches[$0] == .sure }
            guard taken.count > 0 || !sure.isEmpty else { continue }
            recognised += taken.count
            note(group.unmatched, of: group, sure.isEmpty ? matching.map { known[$0] } : sure.map { known[$0] })
            otherEntries -= taken.entries + group.unmatched.count
            rest[place] = group.keeping(taken.other)
        }
        proposals = charges.proposals { place, group in rest[place] ?? group }
        for proposal in proposals {
            refunds += proposal.refunds
            let aside = proposal.setAside.filter { $0.reason != .refunded }.map(\.charge)
            otherEntries -=
                (proposal.charges + aside).reduce(0) { $0 + $1.entries } + proposal.refunds.count { $0.charge == nil }
            for aside in proposal.setAside where aside.reason == .doubled {
                chargedTwice.append(
                    ChargeTwice(proposalID: proposal.id, name: proposal.name, charge: aside.charge))
            }
        }
        chargedTwice.sort { ($0.charge.on, $0.name) < ($1.charge.on, $1.name) }
        refunds = refunds.byDay
        otherAmounts.sort { ($0.on, $0.name) < ($1.on, $1.name) }
        confirmed.sort { ($0.charge.on, $0.name) < ($1.charge.on, $1.name) }
        priceChanges.sort { ($0.on, $0.name) < ($1.on, $1.name) }
        keepLatestPriceChanges()
        chargedAfterCancelling.sort { ($0.charge.on, $0.name) < ($1.charge.on, $1.name) }
    }

    /// Payees that look alike can each bring a price; no subscription has more than the latest of them.
    private mutating func keepLatestPriceChanges() {
        var counts: [UUID: Int] = [:]
        let latest = priceChanges.reversed().filter { change in
            counts[change.subscriptionID, default: 0] += 1
            return counts[change.subscriptionID, default: 0] <= Self.mostPriceChanges
        }
        priceChanges = latest.reversed()
    }

    private static let mostPriceChanges = 24

    // MARK: Which subscription

    private enum Match { case none, similar, sure }

    /// Who is paid, in which currency.
    private struct Party {
        var payee: PayeeName
        var item: CatalogueItem?
        var currency: Currency

        init(_ group: RecurringCharges.Group) {
            (payee, item, currency) = (group.payee, group.item, group.currency)
        }

        init(_ proposal: StatementProposal) {
            (payee, item, currency) = (proposal.payee, proposal.item, proposal.amount.currency)
        }
    }

    /// Whether a proposal is of the payee of a subscription, by the catalogue or by `name`, that of the subscription.
    /// In another currency, as a bank converts a price, the cycle must be the same.
    public static func isPayee(
        of subscription: Subscription, _ name: PayeeName, _ proposal: StatementProposal, _ catalogue: PayeeCatalogue
    ) -> Bool {
        var party = Party(proposal)
        if subscription.cycle == proposal.cycle { party.currency = subscription.currency }
        return match(subscription, name, party, catalogue) == .sure
    }

    /// Whether a payee is that of a subscription by the catalogue or by its name: `NETFLIX.COM AMSTERDAM` is the
    /// Netflix, and `Netflix Standard`, that was typed. Another word in common needs a charge that fits.
    private static func match(
        _ subscription: Subscription, _ name: PayeeName, _ party: Party, _ catalogue: PayeeCatalogue
    ) -> Match {
        guard isComparable(subscription, with: party) else { return .none }
        if let item = party.item, item.id == subscription.catalogueItemID { return .sure }
        if !name.key.isEmpty, name.key == party.payee.key { return .sure }
        if subscription.catalogueItemID == nil, let item = party.item, catalogue.item(name)?.id == item.id {
            return .sure
        }
        let (typed, paid) = (name.words, party.payee.words)
        if begins(paid, with: typed) || begins(typed, with: paid) { return .sure }
        return typed.contains { word in word.count >= 5 && paid.prefix(3).contains(word) } ? .similar : .none
    }

    /// Whether a name begins with another one of four letters or more, however the words are divided.
    private static func begins(_ words: [String], with others: [String]) -> Bool {
        let wanted = others.joined()
        guard wanted.count >= 4, wanted.contains(where: \.isLetter) else { return false }
        var begun = ""
        for word in words {
            begun += word
            if begun == wanted { return true }
            if begun.utf8.count > wanted.utf8.count { return false }
        }
        return false
    }

    /// The payee of a subscription whose name says nothing: the one with the most charges that the user confirmed, of
    /// the same amounts and days, two at least. Nil when another payee has the name, or when the catalogue would tell.
    private static func payee(
        of known: KnownSubscription, among groups: [RecurringCharges.Group], _ catalogue: PayeeCatalogue
    ) -> Int? {
        let subscription = known.subscription
        let name = PayeeName(subscription.name)
        guard subscription.catalogueItemID == nil,
            !groups.contains(where: { group in
                !group.charges.isEmpty && match(subscription, name, Party(group), catalogue) == .sure
            })
        else { return nil }
        let tolerance = Int(BookingRhythm.tolerance(of: subscription.cycle).rounded(.up))
        let hits = groups.map { group in
            guard !group.isUnnamed, isComparable(subscription, with: Party(group)) else { return 0 }
            return group.found.count { charge in
                guard let due = subscription.schedule.nearest(charge.on), abs(due.days(until: charge.on)) <= tolerance
                else { return false }
                guard let fact = known.ledger[due], [.confirmed, .late].contains(fact.fate) else { return false }
                let paid = fact.paid ?? subscription.price(on: due)
                return paid == charge.amount || paid == charge.paid
            }
        }
        guard let most = hits.max(), most >= 2 else { return nil }
        return hits.firstIndex(of: most)
    }

    private static func isComparable(_ subscription: Subscription, with party: Party) -> Bool {
        subscription.currency == party.currency && subscription.bundledIn == nil
            && (party.item != nil || !party.payee.isOfBank
                || begins(party.payee, with: PayeeName(subscription.name)))
    }

    private static func begins(_ payee: PayeeName, with name: PayeeName) -> Bool {
        !name.words.isEmpty && payee.words.starts(with: name.words)
    }

    // MARK: Which charge

    private struct Slot: Hashable {
        var place: Int
        var due: CalendarDay
    }

    private struct Taken {
        /// How many charges are those of known subscriptions.
        var count: Int
        /// How many entries these and the doubled charges are, with those that came back.
        var entries: Int
        /// Charges that belong to none.
        var other: [StatementCharge]
    }

    /// Assigns the charges of a payee to its subscriptions.
    private mutating func take(_ group: RecurringCharges.Group, _ known: [KnownSubscription]) -> Taken {
        var left: [(charge: StatementCharge, near: Slot?)] = []
        var taken: [Slot: StatementCharge] = [:]
        // Of two charges of a day, the one that came back is the double.
        let found = group.found.filter { !$0.isRefunded } + group.found.filter(\.isRefunded)
        for charge in found {
            let slots = known.indices.compactMap { place in Self.slot(charge, place, known[place]) }
            let free = slots.filter { taken[$0.slot] == nil }
            if let best = free.min(by: { ($0.cost, $0.slot.place) < ($1.cost, $1.slot.place) }) {
                taken[best.slot] = charge
            } else {
                left.append((charge, slots.min { ($0.cost, $0.slot.place) < ($1.cost, $1.slot.place) }?.slot))
            }
        }
        let doubles = left.indices.filter { index in
            guard let slot = left[index].near, let first = taken[slot] else { return false }
            let charge = left[index].charge
            return RepeatedCharges.isRepeat(
                (charge.on, charge.amount.minorUnits), of: (first.on, first.amount.minorUnits))
        }
        // What is doubled in most periods is a second contract.
        let areDoubles = doubles.count * 2 < taken.count || doubles.count == 1
        if areDoubles {
            for index in doubles {
                guard let slot = left[index].near else { continue }
                let subscription = known[slot.place].subscription
                chargedTwice.append(
                    ChargeTwice(subscriptionID: subscription.id, name: subscription.name, charge: left[index].charge))
            }
        }
        for place in known.indices {
            let charges = taken.filter { $0.key.place == place }.map { (due: $0.key.due, charge: $0.value) }
                .sorted { $0.due < $1.due }
            if !charges.isEmpty { recognisedIDs.insert(known[place].subscription.id) }
            note(charges, of: known[place])
        }
        let others = left.indices.filter { !areDoubles || !doubles.contains($0) }.map { left[$0].charge }
        let used = Array(taken.values) + (areDoubles ? doubles.map { left[$0].charge } : [])
        return Taken(
            count: taken.count, entries: used.reduce(0) { $0 + $1.entries },
            other: Self.news(others, beside: Array(taken.values), of: known))
    }

    /// The place of a charge among those of a subscription; nil when its day or amount is another one.
    private static func slot(
        _ charge: StatementCharge, _ place: Int, _ known: KnownSubscription
    ) -> (slot: Slot, cost: Int64)? {
        let subscription = known.subscription
        let tolerance = Int(BookingRhythm.tolerance(of: subscription.cycle).rounded(.up))
        // Where payments move the schedule, it no longer says when earlier charges were due; the ledger does.
        let recorded =
            subscription.cycle.isCountedFromPayment
            ? known.ledger.keys.min { (abs($0.days(until: charge.on)), $0) < (abs($1.days(until: charge.on)), $1) }
            : nil
        let isRecorded = recorded.map { abs($0.days(until: charge.on)) <= tolerance } ?? false
        guard let due = isRecorded ? recorded : subscription.schedule.nearest(charge.on) else { return nil }
        let distance = abs(due.days(until: charge.on))
        let price = subscription.price(on: due).minorUnits
        guard distance <= tolerance,
            subscription.isVariable || RecurringSeries.isRise(from: price, to: charge.amount.minorUnits)
        else { return nil }
        return (Slot(place: place, due: due), abs(price - charge.amount.minorUnits) * 100 + Int64(distance))
    }

    /// What is left at about the price of a known one is that one on other days, and not another subscription, unless
    /// it was charged several times beside it.
    private static func news(
        _ left: [StatementCharge], beside taken: [StatementCharge], of known: [KnownSubscription]
    ) -> [StatementCharge] {
        let prices = known.flatMap { [$0.subscription.price] + $0.subscription.prices.map(\.amount) }
        let near = left.filter { charge in
            prices.contains { RecurringSeries.isRise(from: $0.minorUnits, to: charge.amount.minorUnits) }
        }
        let days = taken.map(\.on)
        if let first = days.min(), let last = days.max(), near.count(where: { $0.on >= first && $0.on <= last }) >= 3 {
            return left
        }
        let known = Set(near)
        return left.filter { !known.contains($0) }
    }

    private mutating func note(
        _ charges: [(due: CalendarDay, charge: StatementCharge)], of known: KnownSubscription
    ) {
        let subscription = known.subscription
        var regular: [(due: CalendarDay, charge: StatementCharge)] = []
        for (due, charge) in charges {
            let status = subscription.status(on: due)
            noteRefund(charge, due: due, of: known)
            if status == .cancelled || status == .ended, known.ledger[due] == nil {
                if !charge.isRefunded {
                    chargedAfterCancelling.append(
                        ChargeAfterCancelling(subscriptionID: subscription.id, name: subscription.name, charge: charge))
                }
                continue
            }
            if !charge.isRefunded { regular.append((due, charge)) }
            guard Self.isNews(charge, to: known.ledger[due], price: subscription.price(on: due)) else { continue }
            confirmed.append(
                Confirmation(
                    occurrence: OccurrenceID(subscriptionID: subscription.id, billingOn: due),
                    name: subscription.name, charge: charge))
        }
        notePrice(regular, of: known)
    }

    static func isNews(_ charge: StatementCharge, to fact: KnownSubscription.LedgerFact?, price: Money) -> Bool {
        switch fact?.fate {
        case nil, .open, .assumed: true
        case .skipped: false
        // An amount that the user entered stays.
        case .confirmed, .late: fact?.paid == nil && price != charge.amount
        }
    }

    /// The amount of the last charges is the price from the first of them on, unless a later price is set already. One
    /// such charge may be a fee: it is a price once another one follows, in this statement or in a later one. A price
    /// that is known from a later time than the statement stays.
    private mutating func notePrice(
        _ charges: [(due: CalendarDay, charge: StatementCharge)], of known: KnownSubscription
    ) {
        let subscription = known.subscription
        guard !subscription.isVariable, let last = charges.last else { return }
        let amount = last.charge.amount
        let run = charges.reversed().prefix { $0.charge.amount == amount }
        var (first, count) = (run.last?.due ?? last.due, run.count)
        // Charges of earlier statements.
        for day in known.ledger.keys.filter({ $0 < first }).sorted(by: >) {
            guard let fact = known.ledger[day], [.confirmed, .late].contains(fact.fate) else { continue }
            guard fact.paid == amount, subscription.price(on: day) != amount else { break }
            (first, count) = (day, count + 1)
        }
        let former = subscription.price(on: first)
        guard former != amount, !subscription.prices.contains(where: { $0.from > first }) else { return }
        let isPrice = count > 1 || subscription.cycle.isLong
        let isOlder = isPrice && known.knowsPrice(of: first, after: last.due, subscription.schedule)
        guard isPrice, !isOlder else {
            otherAmounts.append(
                OtherAmount(
                    subscriptionID: subscription.id, name: subscription.name, on: isOlder ? last.due : first,
                    amount: amount, usual: former, isOlder: isOlder))
            return
        }
        priceChanges.append(
            PriceChange(
                subscriptionID: subscription.id, name: subscription.name, on: first, from: former, to: amount))
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
                let steps = ((anchor.year - day.year) * 12 + anchor.month - day.month) / count
                return (max(0, steps - 1)...steps + 1).map { anchor.adding(months: -count * $0, anchorDay: anchor.day) }
                    .min { abs($0.days(until: day)) < abs($1.days(until: day)) }
            }
        }
        let near = [schedule.last(before: day), schedule.next(onOrAfter: day)].compactMap { $0 }
        return near.min { abs($0.days(until: day)) < abs($1.days(until: day)) }
    }
}
