import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// An undone merge or restore leaves everything as it was: every answer, every row and the journal. A redo brings its
/// changes back.
@Suite struct UndoneMergePropertyTests {
    @Test(arguments: SeededRandom.seeds(1, of: 8))
    func anUndoneExchangeLeavesNoTrace(_ part: UInt64) throws {
        let start = try EngineFixture.moment("2026-11-20")
        let stores = try MemoryFolder().stores(3, seed: part * 10, now: start.now)
        let empty = try stores[2].backups.make(at: start)
        for sequence in 0..<(SeededRandom.isThorough ? 60 : 20) {
            let seed = part * 1000 + UInt64(sequence)
            var random = SeededRandom(seed: seed)
            var devices = stores.prefix(2).enumerated().map {
                RandomCommands($1, SeededRandom(seed: seed + UInt64($0) * 1_000_000))
            }
            var moment = start
            for store in stores { try store.backups.restore(empty, keepsCopy: false, at: moment) }
            for _ in 0..<2 { try devices[0].add(at: moment) }
            try stores[1].backups.restore(stores[0].backups.make(at: moment), keepsCopy: false, at: moment)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let days = [0, 0, 1, 8, 40].randomElement(using: &random) ?? 0
                moment = try EngineFixture.moment(moment.today.adding(days: days).iso)
                for index in devices.indices { try devices[index].act(at: moment) }
            }
            let log = "seed \(seed)\n\(devices.map { $0.log.joined(separator: "\n") }.joined(separator: "\nother:\n"))"
            let theirs = try stores[1].backups.make(at: moment)
            let before = try Self.state(stores[0], at: moment)
            if Bool.random(using: &random) {
                try stores[0].backups.merge(theirs, keepsCopy: false, at: moment)
            } else {
                try stores[0].backups.restore(theirs, keepsCopy: false, at: moment)
            }
            let after = try Self.state(stores[0], at: moment)
            guard before.entries != after.entries else { continue }
            #expect(try stores[0].journal.undo(at: moment).left.isEmpty)
            try Self.compare(stores[0], at: moment, before, "undo, \(log)")
            #expect(try stores[0].journal.redo(at: moment).left.isEmpty)
            try Self.compare(stores[0], at: moment, after, "redo, \(log)")
        }
    }

    private struct State {
        var answers: [String]
        var rows: [String]
        var entries: [String]
    }

    private static func state(_ store: DeviceStore, at moment: Moment) throws -> State {
        let entries = try store.journal.entries(at: moment).filter { !$0.isUndone }
        return State(
            answers: try Answers.all(store, at: moment),
            rows: try RandomUser.rows(store.backups.make(at: moment), stamped: false).filter { !isMark($0) },
            entries: entries.map { "\($0.id) \($0.displayText(.english))" })
    }

    /// Whether a row says no more than that something was taken back.
    private static func isMark(_ row: String) -> Bool {
        let dated = ["prices[", "states[", "share_periods[", "memberships[", "own_rates["]
        return dated.contains(where: row.hasPrefix) && row.hasSuffix(",1]")
            || row.hasPrefix("ledger[") && (row.hasSuffix(",0,null,null,null]") || row.hasSuffix(",3,null,null,null]"))
            || row.hasPrefix("shares[") && row.hasSuffix(#","",0,""]"#) || row.hasPrefix("withdrawals[")
            || row.hasPrefix("group_members[") && row.contains(",0,")
    }

    private static func compare(_ store: DeviceStore, at moment: Moment, _ wanted: State, _ comment: String) throws {
        let found = try state(store, at: moment)
        let difference =
            Answers.difference(found.answers, wanted.answers) ?? Answers.difference(found.entries, wanted.entries)
        if let difference { Issue.record("\(comment)\n\(difference)") }
        let rows = Set(found.rows).symmetricDifference(wanted.rows)
        if !rows.isEmpty { Issue.record("\(comment)\n\(rows.sorted().joined(separator: "\n"))") }
    }
}
