import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// What was taken back leaves no trace, whatever follows: a store with undos answers as one on which only the other
/// commands were called, at the same moments.
@Suite struct UndoTraceTests {
    /// A command that can be called on two stores alike.
    private enum Command: CustomStringConvertible {
        case edit(UUID, SubscriptionDraft)
        case state(UUID, SubscriptionState, CalendarDay)
        case confirm(OccurrenceID), skip(OccurrenceID), pay(OccurrenceID)

        func call(_ store: DeviceStore, at moment: Moment) throws {
            switch self {
            case .edit(let id, let draft): try store.subscriptions.edit(id, draft, at: moment)
            case .state(let id, let state, let day):
                try store.subscriptions.setState(id, state, from: day, at: moment)
            case .confirm(let charge): try store.ledger.confirm(charge, at: moment)
            case .skip(let charge): try store.ledger.skip(charge, at: moment)
            case .pay(let charge): try store.ledger.recordPaid(charge, amount: "7.77", at: moment)
            }
        }

        var description: String {
            switch self {
            case .edit(_, let draft): "edit \(draft.map { "\($0.key.rawValue)=\($0.value)" }.sorted())"
            case .state(_, let state, let day): "\(state.wire) from \(day)"
            case .confirm(let charge): "confirm \(charge.billingOn)"
            case .skip(let charge): "skip \(charge.billingOn)"
            case .pay(let charge): "pay \(charge.billingOn)"
            }
        }
    }

    private static func command(_ store: DeviceStore, _ random: inout SeededRandom, _ moment: Moment) throws -> Command?
    {
        let day = { (range: ClosedRange<Int>, random: inout SeededRandom) in
            moment.today.adding(days: Int.random(in: range, using: &random))
        }
        guard let id = try store.subscriptions.all().map(\.id).randomElement(using: &random) else { return nil }
        switch Int.random(in: 0...9, using: &random) {
        case 0, 1, 2: return .edit(id, [.nextBillingOn: day(0...40, &random).iso])
        case 3:
            return .edit(
                id,
                [
                    .cycle: ["weekly", "monthly", "every:10d", "every:10d after payment"].randomElement(using: &random)
                        ?? "monthly"
                ])
        case 4: return .edit(id, [.startedOn: day(-200...0, &random).iso])
        case 5, 6:
            let state = [SubscriptionState.active, .paused, .cancelled].randomElement(using: &random) ?? .active
            return .state(id, state, day(-40...20, &random))
        default:
            let charges = try store.ledger.occurrences(
                from: moment.today.adding(days: -60), through: moment.today.adding(days: 20), at: moment)
            guard let charge = charges.randomElement(using: &random)?.id else { return nil }
            return [Command.confirm(charge), .skip(charge), .pay(charge)].randomElement(using: &random)
        }
    }

    private static func answers(_ store: DeviceStore, at moment: Moment) throws -> [String] {
        let charge = { (charge: Occurrence) in
            "\(charge.id.billingOn) \(charge.status.rawValue) \(charge.amount)"
        }
        let year = (moment.today.adding(days: -400), moment.today.adding(days: 100))
        return try [
            "missed \(store.ledger.missed(at: moment).map(charge))",
            "charges \(store.ledger.occurrences(from: year.0, through: year.1, at: moment).map(charge))",
            "spending \(store.totals.spending(by: .month, at: moment))", "list \(store.subscriptions.list(at: moment))",
            "score \(store.ledger.score(at: moment))",
        ]
    }

    /// What can be taken back, newest first.
    private static func entries(_ store: DeviceStore, _ moment: Moment) throws -> [Int64] {
        try store.journal.entries(at: moment).filter { !$0.isUndone }.map(\.id)
    }

    @Test(arguments: SeededRandom.seeds(1, of: 8))
    func anUndoneCommandLeavesNoTrace(_ part: UInt64) throws {
        let start = try EngineFixture.moment("2026-11-20")
        let draft: SubscriptionDraft = [
            .name: "Netflix", .amount: "10", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25",
        ]
        for sequence in 0..<50 {
            var random = SeededRandom(seed: part * 1000 + UInt64(sequence))
            let stores = try MemoryFolder().stores(2, seed: 1, now: start.now)
            let (store, plain) = (stores[0], stores[1])
            var added = draft
            added[.id] = try store.subscriptions.add(draft, at: start).id.lowercased
            try plain.subscriptions.add(added, at: start)
            var (moment, log) = (start, [String]())
            var done: [(command: Command, moment: Moment)] = []
            for _ in 0..<Int.random(in: 3...9, using: &random) {
                moment = try EngineFixture.moment(
                    moment.today.adding(days: [0, 1, 8, 40].randomElement(using: &random) ?? 0).iso)
                // Changes of more than 90 days ago cannot be taken back.
                let reach = min(3, done.count, try Self.entries(store, moment).count)
                if reach > 0, Int.random(in: 0..<3, using: &random) == 0 {
                    let count = Int.random(in: 1...reach, using: &random)
                    #expect(try store.journal.undo(count, at: moment).left.isEmpty)
                    done.removeLast(count)
                    log.append("\(moment.today) undo \(count)")
                } else if let command = try Self.command(store, &random, moment) {
                    let before = try Self.entries(store, moment).first
                    do { try command.call(store, at: moment) } catch is DeviceStoreError { continue }
                    log.append("\(moment.today) \(command)")
                    if try Self.entries(store, moment).first != before { done.append((command, moment)) }
                }
            }
            for (command, moment) in done { try command.call(plain, at: moment) }
            let (found, wanted) = (try Self.answers(store, at: moment), try Self.answers(plain, at: moment))
            guard let difference = Answers.difference(found, wanted) else { continue }
            Issue.record("part \(part), \(sequence)\n\(log.joined(separator: "\n"))\n\(difference)")
            return
        }
    }
}
