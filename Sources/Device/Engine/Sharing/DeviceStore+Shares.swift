public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Sharing {
    /// Sets how a subscription's cost is split; no people ends the sharing.
    ///
    /// - Parameters:
    ///   - split: who bears which part besides the owner, who is not among the people.
    ///   - subscription: its identifier.
    ///   - day: charges from that day on make debts, until the day of a later change; nil for today.
    ///   - isAccepted: whether the others agreed; nil keeps their agreement if the split is the one they agreed to.
    ///   - notes: nil keeps them.
    ///   - moment: when it is set.
    /// - Returns: what stands from that day on.
    @discardableResult
    public func setSplit(
        _ split: Split, of subscription: UUID, from day: CalendarDay? = nil, isAccepted: Bool? = nil,
        notes: String? = nil, at moment: Moment
    ) throws -> SubscriptionShare {
        try changeShare(of: subscription, from: day, isAccepted: isAccepted, notes: notes, at: moment) { _ in split }
    }

    /// Changes whether the others agreed to a share, and its notes; nil leaves one as it is. Who bears which part
    /// stays.
    public func annotateShare(
        of subscription: UUID, isAccepted: Bool? = nil, notes: String? = nil, at moment: Moment
    ) throws {
        try changeShare(of: subscription, isAccepted: isAccepted, notes: notes, at: moment) { _ in nil }
    }

    /// Changes a share as it stands at the time of the write.
    ///
    /// - Parameters:
    ///   - subscription: its identifier.
    ///   - day: the first day of another split; nil for today.
    ///   - isAccepted: whether the others agreed; nil keeps their agreement if the split is the one they agreed to.
    ///   - notes: nil keeps them.
    ///   - newcomer: one of the people who is added with it, so that one undo takes both back.
    ///   - moment: when it is changed.
    ///   - change: takes the share of today, nil when it is not shared, and returns the split; nil for the same one.
    /// - Returns: what stands from that day on.
    @discardableResult
    public func changeShare(
        of subscription: UUID, from day: CalendarDay? = nil, isAccepted: Bool? = nil, notes: String? = nil,
        newcomer: Person? = nil, at moment: Moment, split change: (SubscriptionShare?) throws -> Split?
    ) throws -> SubscriptionShare {
        try store.write(at: moment, as: .shareSaved) { unit in
            let today = moment.today
            guard let split = try change(SharePlan(subscription, unit.session, today: today).current) else {
                guard let agreed = try unit.share(of: subscription) else {
                    throw Fault("with", .required, "It is not shared yet; name the others first.")
                }
                let share = agreed.with(agreed.split, isAccepted: isAccepted, notes: notes)
                try unit.save(share)
                return share
            }
            if let newcomer { try unit.save(newcomer) }
            guard !split.people.contains(Person.me) else {
                throw Fault("with", .sameItem, "You always bear a part yourself.")
            }
            let share = (try unit.share(of: subscription) ?? .none(of: subscription))
                .with(split, isAccepted: isAccepted, notes: notes)
            try unit.requirePeople(split.people)
            let isShared = !split.people.isEmpty
            if isShared { _ = try share.parts(of: unit.subscriptions.load(subscription).price(on: today)) }
            // What was agreed holds until the day on which the sharing ends.
            if isShared || (day ?? today) <= today { try unit.save(share) }
            try unit.write(
                SharePeriod(from: day ?? today, split: isShared ? split : nil),
                of: try unit.subscriptions.requireNumber(of: subscription))
            return share
        }
    }

    /// Takes back the split that begins on a day: the one before it holds on. Throws a fault of `remove` when none
    /// begins then.
    public func removeShare(of subscription: UUID, from day: CalendarDay, at moment: Moment) throws {
        try store.write(at: moment, as: .shareSaved) { unit in
            let number = try unit.subscriptions.requireNumber(of: subscription)
            guard try DebtReader.periods(unit.session, of: number).contains(where: { $0.from == day }) else {
                throw Fault("remove", .notFound, "No split begins on that day.")
            }
            try EntityTables.sharePeriods.remove([.integer(number), .day(day)], in: unit)
            // What was agreed last, of what is left.
            let last = try DebtReader.periods(unit.session, of: number).last { $0.split != nil }
            let former = try unit.share(of: subscription) ?? .none(of: subscription)
            try unit.save(former.with(last?.split ?? .unshared))
        }
    }

    /// How a subscription was shared last, whenever that begins; nil when it is not.
    public func share(of subscription: UUID) throws -> SubscriptionShare? {
        try store.read { try SubscriptionShare.find(subscription, in: $0) }
    }

    /// How a subscription is shared today, and from which days on it is shared in another way.
    public func plan(of subscription: UUID, at moment: Moment) throws -> SharePlan {
        try store.read { try SharePlan(subscription, $0, today: moment.today) }
    }

    /// A subscription that others bear a part of today, and each one's part of today's price.
    public typealias Shared = (subscription: Subscription, share: SubscriptionShare, parts: ShareParts)

    /// The subscriptions in the totals of which others bear a part today, sorted by name.
    public func shared(at moment: Moment) throws -> [Shared] {
        try store.read(at: moment) { session in
            let names = try SharingReader(session).presentNames()
            let all = try OthersReader(session: session, today: moment.today).shared()
            return try all.compactMap { subscription, _, _ -> Shared? in
                guard subscription.counts(on: moment.today),
                    let share = try SharePlan(subscription.id, session, today: moment.today).current,
                    share.split.people.contains(where: { names[$0] != nil })
                else { return nil }
                return (subscription, share, ShareParts(share, of: subscription.price(on: moment.today), names))
            }
        }.sorted {
            ($0.subscription.name, $0.subscription.id) < ($1.subscription.name, $1.subscription.id)
        }
    }
}

/// How a subscription is shared today and later.
public struct SharePlan: Sendable, Hashable {
    /// Nil when no other person bears a part of a charge of today.
    public var current: SubscriptionShare?
    /// The splits that begin after today, each different from the one before; sorted by day.
    public var later: [SharePeriod]

    init(_ subscription: UUID, _ session: any SQLSession, today: CalendarDay) throws {
        let agreed = try SubscriptionShare.find(subscription, in: session)
        let number = try SubscriptionTable(session).requireNumber(of: subscription)
        let periods = try DebtReader.periods(session, of: number)
        guard !periods.isEmpty else {
            (current, later) = (agreed, [])
            return
        }
        let split = periods.last { $0.from <= today }?.split
        current = split.map { (agreed ?? .none(of: subscription)).with($0) }
        later = []
        for period in periods where period.from > today {
            let before = later.isEmpty ? split : later.last?.split
            if period.split != before { later.append(period) }
        }
    }
}

extension UnitOfWork {
    func share(of subscription: UUID) throws -> SubscriptionShare? {
        try SubscriptionShare.find(subscription, in: session)
    }

    func save(_ share: SubscriptionShare) throws {
        let number = try subscriptions.requireNumber(of: share.subscriptionID)
        let notes = try FieldRules.note(share.notes, field: "notes")
        try EntityTables.shares.save(
            [.integer(number)],
            [
                .text(share.split.kind.rawValue), .text(PersonAmountText.text(share.split.people, share.split.weights)),
                .flag(share.isAccepted), .text(notes),
            ], in: self)
    }
}

extension SubscriptionShare {
    static func none(of subscription: UUID) -> Self {
        SubscriptionShare(subscriptionID: subscription, split: .unshared)
    }

    /// Nil keeps the notes, and what was agreed if the split is the same.
    func with(_ split: Split, isAccepted: Bool? = nil, notes: String? = nil) -> Self {
        var share = SubscriptionShare(subscriptionID: subscriptionID, split: split)
        share.isAccepted = isAccepted ?? (self.split == split && self.isAccepted)
        share.notes = notes ?? self.notes
        return share
    }

    static func find(_ subscription: UUID, in session: any SQLSession) throws -> SubscriptionShare? {
        guard let number = try SubscriptionTable(session).number(of: subscription),
            let row = try EntityTables.shares.row([.integer(number)], in: session)
        else { return nil }
        var values = ValueReader(row.values)
        let split = try PersonAmountText.split(try values.text(), try values.text())
        guard !split.people.isEmpty else { return nil }
        var share = SubscriptionShare(subscriptionID: subscription, split: split)
        share.isAccepted = try values.flag()
        share.notes = try values.text()
        return share
    }
}

/// People with numbers as text: `<id>=<number>`, separated by commas, in the order of the people.
enum PersonAmountText {
    static func text(_ people: [UUID], _ numbers: [Int64]) -> String {
        people.enumerated().map { index, id in
            numbers.indices.contains(index) ? "\(id.lowercased)=\(numbers[index])" : id.lowercased
        }.joined(separator: ",")
    }

    static func text(_ amounts: [PersonAmount]) -> String { text(amounts.map(\.personID), amounts.map(\.minorUnits)) }

    static func read(_ text: String) throws -> (people: [UUID], numbers: [Int64]) {
        var people: [UUID] = []
        var numbers: [Int64] = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard let id = UUID(uuidString: String(pair[0])) else { throw SQLError.malformed("person") }
            people.append(id)
            if pair.count == 2, let number = Int64(pair[1]) { numbers.append(number) }
        }
        return (people, numbers)
    }

    static func amounts(_ text: String) throws -> [PersonAmount] {
        let (people, numbers) = try read(text)
        guard people.count == numbers.count else { throw SQLError.malformed("payers") }
        return zip(people, numbers).map { PersonAmount(personID: $0, minorUnits: $1) }
    }

    static func split(_ kind: String, _ parts: String) throws -> Split {
        guard let kind = SplitKind(rawValue: kind) else { throw SQLError.malformed("split") }
        let (people, numbers) = try read(parts)
        return Split(kind: kind, people: people, weights: numbers)
    }
}
