import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Stores merged in any order and any grouping are the same: every answer, the order of lists and exports, and the backup,
/// byte by byte. 25 or 100 times three devices with random commands, undos and redos among them.
@Suite struct MergePropertyTests {
    @Test(arguments: SeededRandom.seeds(1, of: 4))
    func anyOrderAndGroupingGivesTheSameStore(_ part: UInt64) throws {
        let start = try EngineFixture.moment("2026-11-20")
        let stores = try (0..<5).map { number in
            let random = LockedRandom(seed: part * 100 + UInt64(number))
            return try DeviceStore.temporary(now: start.now, entitlement: .premium(until: nil)) { random.next() }
        }
        let empty = try stores[4].backups.make(at: start)
        for sequence in 0..<25 {
            let seed = part * 1000 + UInt64(sequence)
            var random = SeededRandom(seed: seed)
            var first = RandomCommands(stores[0], SeededRandom(seed: seed + 1_000_000))
            try stores[0].backups.restore(empty, at: start)
            for _ in 0..<3 { try first.add(at: start) }
            let base = try stores[0].backups.make(at: start)
            var backups: [[UInt8]] = []
            var log: [String] = []
            for device in 0..<3 {
                var moment = start
                try stores[device].backups.restore(base, at: moment)
                var commands = RandomCommands(stores[device], SeededRandom(seed: seed + UInt64(device) * 5_000_000))
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    moment = try EngineFixture.moment(
                        moment.today.adding(days: Int.random(in: 0...40, using: &random)).iso)
                    try commands.act(at: moment)
                }
                log += commands.log.map { "\(device): \($0)" }
                backups.append(try stores[device].backups.make(at: try EngineFixture.moment("2027-08-01")))
            }
            let moment = try EngineFixture.moment("2027-08-01")
            let merged = { (parts: [[UInt8]], store: DeviceStore) throws -> [UInt8] in
                try store.backups.restore(empty, at: moment)
                for part in parts { try store.backups.merge(part, at: moment) }
                return try store.backups.make(at: moment)
            }
            let wanted = try merged(backups, stores[3])
            let answers = try Answers.all(stores[3], at: moment)
            for order in [[2, 1, 0], [1, 2, 0, 1], [0, 2, 1]] {
                let found = try merged(order.map { backups[$0] }, stores[4])
                try compare(stores[4], at: moment, answers, found == wanted, "seed \(seed), \(order)", log)
            }
            // The second and the third first, then the result into the first.
            let right = try merged([backups[1], backups[2]], stores[4])
            let grouped = try merged([backups[0], right], stores[4])
            try compare(stores[4], at: moment, answers, grouped == wanted, "seed \(seed), grouped", log)
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
