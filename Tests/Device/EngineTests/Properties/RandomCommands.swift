import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Random commands on a store, as people enter them. Refused ones change nothing.
struct RandomCommands {
    let store: DeviceStore
    var random: SeededRandom
    /// How many days before today a subscription may have begun.
    var history = 400
    /// What was called, for the report of a failure.
    private(set) var log: [String] = []

    init(_ store: DeviceStore, _ random: SeededRandom) {
        self.store = store
        self.random = random
    }

    private static let cycles = [
        "daily", "weekly", "monthly", "monthly", "quarterly", "yearly", "lifetime", "every:4w",
        "every:28d after payment",
    ]

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func day(_ range: ClosedRange<Int>, _ moment: Moment) -> CalendarDay {
        moment.today.adding(days: Int.random(in: range, using: &random))
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &random) }

    mutating func add(at moment: Moment) throws {
        let ids = try store.subscriptions.all().map(\.id)
        var draft: SubscriptionDraft = [
            .name: ["Été", "Netflix", "netflix", "Gym", "Spotify Family"][below(5)],
            .amount: "\(1 + below(50)).\(10 + below(90))", .currency: below(4) == 0 ? "USD" : "EUR",
            .cycle: Self.cycles[below(Self.cycles.count)], .nextBillingOn: day(-40...40, moment).iso,
            .category: ["pro", "personal", "streaming", "Musique"][below(4)],
        ]
        if below(3) == 0 { draft[.startedOn] = day(-history...0, moment).iso }
        if below(3) == 0 { draft[.trialEndsOn] = day(0...40, moment).iso }
        if draft[.trialEndsOn] != nil, below(2) == 0 { draft[.trialStartsOn] = day(-20...0, moment).iso }
        if below(4) == 0 { draft[.trialConverts] = "false" }
        if below(3) == 0, let other = pick(ids) { draft[.bundledIn] = other.lowercased }
        if below(5) == 0 { draft[.endsOn] = day(0...200, moment).iso }
        if below(4) == 0 { draft[.minimumMonths] = "\(below(14))" }
        if below(4) == 0 { draft[.extensionMonths] = "12" }
        note("add \(draft.map { "\($0.key.rawValue)=\($0.value)" }.sorted())")
        try store.subscriptions.add(draft, at: moment)
    }

    private mutating func note(_ text: String) { log.append(text) }

    /// One command; a refusal is one of its possible outcomes.
    mutating func act(at moment: Moment) throws {
        do {
            try attempt(at: moment)
        } catch is DeviceStoreError {
            note("refused")
        }
    }

    private mutating func attempt(at moment: Moment) throws {
        let ids = try store.subscriptions.all().map(\.id)
        guard let id = pick(ids), below(8) > 0 else { return try add(at: moment) }
        let amount = "\(1 + below(60)).\(10 + below(90))"
        let (near, far) = (day(-40...40, moment), day(-400...400, moment))
        let kind = below(23)
        note("\(moment.today) \(kind) \(id.lowercased.suffix(4)) \(amount) \(near) \(far)")
        let subscriptions = store.subscriptions
        switch kind {
        case 0: try subscriptions.edit(id, [.amount: amount], at: moment)
        case 1: try subscriptions.edit(id, [.currency: below(2) == 0 ? "USD" : "EUR"], at: moment)
        case 2: try subscriptions.edit(id, [.nextBillingOn: near.iso], at: moment)
        case 3: try subscriptions.edit(id, [.cycle: Self.cycles[below(Self.cycles.count)]], at: moment)
        case 4: try subscriptions.edit(id, [.bundledIn: pick(ids)?.lowercased ?? ""], at: moment)
        case 5: try subscriptions.setPrice(id, amount, from: far, at: moment)
        case 6: try subscriptions.setState(id, .paused, from: near, at: moment)
        case 7, 8: try subscriptions.setState(id, .active, from: near, at: moment)
        case 9, 10: try subscriptions.setState(id, .cancelled, from: near, at: moment)
        case 11: try subscriptions.delete(id, at: moment)
        case 12, 13, 14, 15: try decide(kind, amount, at: moment)
        case 20, 21: try store.journal.undo(1 + below(3), at: moment)
        case 22: try store.journal.redo(at: moment)
        case 16:
            try store.budgets.set(category: nil, amount: amount, currency: "EUR", period: .month, at: moment)
        case 17: try share(id, at: moment)
        case 18:
            if let person = pick(try store.sharing.people()) {
                try store.sharing.deletePerson(person.id, isForced: true, at: moment)
            }
        default:
            try store.backups.restore(try store.backups.make(at: moment), at: moment)
        }
    }

    private mutating func decide(_ kind: Int, _ amount: String, at moment: Moment) throws {
        let some = try store.ledger.occurrences(from: day(-90...(-1), moment), through: day(0...60, moment), at: moment)
        guard let charge = pick(some) else { return }
        switch kind {
        case 12: try store.ledger.confirm(charge.id, at: moment)
        case 13: try store.ledger.recordPaid(charge.id, amount: amount, at: moment)
        default: try store.ledger.skip(charge.id, at: moment)
        }
    }

    private mutating func share(_ id: UUID, at moment: Moment) throws {
        let person = Person(id: store.makeID(moment), name: "P\(below(9))", createdAt: moment.now)
        try store.sharing.save(
            person, photo: below(2) == 0 ? nil : try RepositoryFile.logo(below(2)), at: moment)
        let people = try store.sharing.people().map(\.id)
        let split = Split(kind: below(2) == 0 ? .even : .free, people: people)
        try store.sharing.setSplit(split, of: id, at: moment)
    }
}

/// Everything a store answers, as lines of text.
enum Answers {
    static func all(_ store: DeviceStore, at moment: Moment) throws -> [String] {
        let today = moment.today
        var lines: [String] = []
        let note = { (name: String, value: Any) in lines.append("\(name): \(value)") }
        for summary in try store.subscriptions.list(at: moment) {
            note("list", summary)
            note("summary", try store.subscriptions.summary(summary.id, at: moment))
            var shown = try store.subscriptions.load(summary.id)
            note("decisions", shown.decisions.sorted { $0.key < $1.key })
            // A dictionary has no order of its own.
            shown.decisions = [:]
            note("show", shown)
            note("history", try store.ledger.history(summary.id, at: moment))
            note("spent", try store.totals.spending(of: summary.id, at: moment))
            note("share", try store.sharing.share(of: summary.id) as Any)
        }
        note("total", try store.totals.costs(at: moment))
        note(
            "upcoming",
            try store.ledger.occurrences(
                from: today.adding(days: -100), through: today.adding(days: 100), at: moment))
        note("pending", try store.ledger.pending(at: moment))
        note("missed", try store.ledger.missed(at: moment))
        note("forecast", try store.totals.forecast(months: 6, at: moment))
        note("widget", try store.ledger.widget(.medium, at: moment))
        note("score", try store.ledger.score(at: moment))
        note("reminders", try store.reminders.list(at: moment))
        note("cancel-by", try store.totals.cancelBy(at: moment))
        note("budgets", try store.budgets.list(at: moment))
        note("overlaps", try store.totals.overlaps(at: moment))
        note("savings", try store.totals.savings(at: moment))
        note("spending", try store.totals.spending(at: moment))
        for key in SpendingKey.allCases {
            note("spending by \(key)", try store.totals.spending(by: key, at: moment))
            let (first, last) = (today.adding(days: -70), today.adding(days: -20))
            note("spent by \(key)", try store.totals.spending(by: key, from: first, through: last, at: moment))
        }
        let month = today.adding(days: 1 - today.day)
        for months in [1, 5] {
            let (first, last) = (month.adding(months: -2), month.adding(months: months).adding(days: -1))
            note("statement", try store.totals.statement(from: first, through: last, at: moment))
        }
        note("changes", try store.totals.changes(since: today.adding(days: -30), at: moment))
        note("people", try store.sharing.people())
        note("photos", try store.sharing.photos().sorted { $0.key.uuidString < $1.key.uuidString })
        note("export", try store.portability.export(.json, at: moment))
        return lines
    }

    /// The first difference; nil for equal answers.
    static func difference(_ left: [String], _ right: [String]) -> String? {
        guard left != right else { return nil }
        for (left, right) in zip(left, right) where left != right { return "\(left)\n≠ \(right)" }
        return "\(left.count) ≠ \(right.count) lines"
    }
}
