import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// The read model never shows anything else than what follows from the data: every answer equals that of a store
/// rebuilt from a backup. 40 × 50 (or 30) random sequences of commands in all parts, with days that pass and a second
/// device that is merged.
@Suite struct RebuildPropertyTests {
    @Test(arguments: SeededRandom.seeds(1, of: 40))
    func answersAreThoseOfARebuiltStore(_ part: UInt64) throws {
        let start = try EngineFixture.moment("2026-11-20")
        let folder = try MemoryFolder()
        let stores = try folder.stores(3, seed: part * 10, now: start.now)
        let empty = try stores[2].backups.make(at: start)
        for sequence in 0..<(SeededRandom.isThorough ? 50 : 15) {
            let seed = part * 1000 + UInt64(sequence)
            var device = RandomCommands(stores[0], SeededRandom(seed: seed))
            var other = RandomCommands(stores[1], SeededRandom(seed: seed + 1_000_000))
            var random = SeededRandom(seed: seed + 2_000_000)
            var moment = start
            try stores[0].backups.restore(empty, at: moment)
            for _ in 0..<3 { try device.add(at: moment) }
            let isPair = sequence.isMultiple(of: 4)
            if isPair { try stores[1].backups.restore(try stores[0].backups.make(at: moment), at: moment) }
            for _ in 0..<Int.random(in: 2...6, using: &random) {
                let days = [0, 0, 1, 8, 40, -15].randomElement(using: &random) ?? 0
                moment = try EngineFixture.moment(moment.today.adding(days: days).iso)
                try device.act(at: moment)
                guard isPair else { continue }
                try other.act(at: moment)
                if Bool.random(using: &random) {
                    try stores[0].backups.merge(try stores[1].backups.make(at: moment), at: moment)
                }
            }
            try stores[2].backups.restore(try stores[0].backups.make(at: moment), at: moment)
            let difference = Answers.difference(
                try Answers.all(stores[0], at: moment), try Answers.all(stores[2], at: moment))
            guard let difference else { continue }
            Issue.record(
                "seed \(seed):\n\(device.log.joined(separator: "\n"))\n– other: \(other.log)\n\(difference)")
            return
        }
    }
}
