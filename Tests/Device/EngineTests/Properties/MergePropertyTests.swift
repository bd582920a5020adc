import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Stores merged in any order and any grouping are the same: every answer, the order of lists and exports, and the
/// backup, byte by byte. 15 or 2,000 times three devices with random commands, undos and redos among them.
@Suite struct MergePropertyTests {
    @Test(arguments: SeededRandom.seeds(1, of: 20))
    func anyOrderAndGroupingGivesTheSameStore(_ part: UInt64) throws {
        let start = try EngineFixture.moment("2026-11-20")
        let end = try EngineFixture.moment("2027-02-01")
        let folder = try MemoryFolder()
        let stores = try folder.stores(5, seed: part * 100, now: start.now)
        let empty = try stores[4].backups.make(at: start)
        for sequence in 0..<(SeededRandom.isThorough ? 100 : 15) {
            let seed = part * 1000 + UInt64(sequence)
            var random = SeededRandom(seed: seed)
            var first = RandomCommands(stores[0], SeededRandom(seed: seed + 1_000_000))
            // Each day of a charge is a row, and histories of a year would take most of the time.
            first.history = 60
            try stores[0].backups.restore(empty, keepsCopy: false, at: start)
            for _ in 0..<3 { try first.add(at: start) }
            let base = try stores[0].backups.make(at: start)
            var backups: [[UInt8]] = []
            var log: [String] = []
            for device in 0..<3 {
                var moment = start
                try stores[device].backups.restore(base, keepsCopy: false, at: moment)
                var commands = RandomCommands(stores[device], SeededRandom(seed: seed + UInt64(device) * 5_000_000))
                commands.history = first.history
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    moment = try EngineFixture.moment(
                        moment.today.adding(days: [0, 1, 5, 14].randomElement(using: &random) ?? 0).iso)
                    try commands.act(at: moment)
                }
                log += commands.log.map { "\(device): \($0)" }
                backups.append(try stores[device].backups.make(at: end))
            }
            let merged = { (parts: [[UInt8]], store: DeviceStore) throws -> [UInt8] in
                try store.backups.restore(parts[0], keepsCopy: false, at: end)
                for part in parts.dropFirst() { try store.backups.merge(part, keepsCopy: false, at: end) }
                return try store.backups.make(at: end)
            }
            let wanted = try merged([empty] + backups, stores[3])
            let answers = try Answers.all(stores[3], at: end)
            // Another order, one of them perhaps twice; then two of them first, and the result into the third.
            var order = Array(0..<3).shuffled(using: &random)
            if Bool.random(using: &random) { order.append(Int.random(in: 0..<3, using: &random)) }
            let found = try merged(order.map { backups[$0] }, stores[4])
            let comment = "seed \(seed), \(order)"
            try compare(stores[4], at: end, answers, found == wanted, comment, log)
            let both = try merged([backups[order[1]], backups[order[2]]], stores[4])
            let grouped = try merged([backups[order[0]], both], stores[4])
            #expect(grouped == wanted, "the backup, grouped, \(comment)\n\(log.joined(separator: "\n"))")
        }
    }

    private func compare(
        _ store: DeviceStore, at moment: Moment, _ answers: [String], _ isSameBackup: Bool, _ comment: String,
        _ log: [String]
    ) throws {
        let difference = Answers.difference(answers, try Answers.all(store, at: moment))
        if let difference { Issue.record("\(comment)\n\(log.joined(separator: "\n"))\n\(difference)") }
        #expect(isSameBackup, "the backup, \(comment)\n\(log.joined(separator: "\n"))")
    }
}
