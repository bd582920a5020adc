import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct UndoPropertyTests {
    private func user(_ store: DeviceStore, seed: Int, name: String = "a") throws -> RandomUser {
        RandomUser(
            store: store, random: SeededRandom(seed: UInt64(seed)), moment: try EngineFixture.moment("2026-11-20"),
            name: name)
    }

    private func store(seed: Int, in folder: MemoryFolder) throws -> DeviceStore {
        let ids = LockedRandom(seed: UInt64(seed) &* 7919)
        let path = folder.file("\(seed).sqlite")
        try StoreTemplate.device.place(at: path) {
            try DeviceStore(path: $0, now: UTCInstant(secondsSinceEpoch: 0)).close()
        }
        return try DeviceStore(
            path: path, now: UTCInstant(secondsSinceEpoch: 0),
            entitlement: .premium(until: nil), random: { ids.next() })
    }

    /// 20 × 100 random changes, each taken back, made again, and mostly left so.
    @Test(arguments: SeededRandom.seeds(1, of: 20))
    func anUndoLeavesEveryAnswerAsItWas(_ number: UInt64) throws {
        let seed = Int(number)
        let folder = try MemoryFolder()
        let store = try store(seed: seed, in: folder)
        defer { try? store.close() }
        var user = try user(store, seed: seed)
        for step in 0..<100 {
            try user.pass(seconds: user.isTrue(20) ? user.number(1...5) * 86_400 : 60)
            let count = user.isTrue(80) ? 1 : 3
            let before = try user.answers()
            let entries = try store.journal.entries(at: user.moment).count { !$0.isUndone }
            for _ in 0..<count { try user.change() }
            let changes = try store.journal.entries(at: user.moment).count { !$0.isUndone } - entries
            guard changes > 0 else { continue }
            let after = try user.answers()
            let what = try store.journal.entries(limit: changes, at: user.moment).map { $0.displayText(.english) }
            #expect(try store.journal.undo(changes, at: user.moment).left.isEmpty)
            try expect(try user.answers(), before, "undo \(seed)/\(step) \(what)")
            #expect(try store.journal.redo(changes, at: user.moment).left.isEmpty)
            try expect(try user.answers(), after, "redo \(seed)/\(step) \(what)")
            if user.isTrue(30) {
                try store.journal.undo(changes, at: user.moment)
                try expect(try user.answers(), before, "again \(seed)/\(step) \(what)")
            }
        }
    }

    private func expect(_ found: [String], _ wanted: [String], _ what: String) throws {
        for (found, wanted) in zip(found, wanted) where found != wanted {
            Issue.record("\(what)\n\(found)\n\(wanted)")
            throw Different()
        }
    }

    private struct Different: Error {}

    /// 20 × 100 merges of three devices' data, with undos and redos among the changes: in any order and grouping, every
    /// row is the same, timestamps included.
    @Test(arguments: SeededRandom.seeds(1, of: 20))
    func mergesWithUndosComeToTheSame(_ number: UInt64) throws {
        let seed = Int(number)
        let folder = try MemoryFolder()
        let start = try store(seed: seed, in: folder)
        var first = try user(start, seed: seed, name: "start")
        for _ in 0..<2 { try first.add() }
        let base = try start.backups.make(at: first.moment)
        let stores = try (1...3).map { try store(seed: seed * 10 + $0, in: folder) }
        var users = try stores.enumerated().map { try user($1, seed: seed * 10 + $0, name: "\($0)") }
        let (left, right) = (try store(seed: seed * 10 + 4, in: folder), try store(seed: seed * 10 + 5, in: folder))
        var random = SeededRandom(seed: UInt64(seed))
        for store in stores { try store.backups.restore(base, keepsCopy: false, at: first.moment) }
        for index in users.indices { users[index].limit = 3 }
        let last = try EngineFixture.moment("2026-11-26")
        for round in 0..<(SeededRandom.isThorough ? 100 : 25) {
            // Each round, one device changes something and takes some of it back.
            let number = round % 3
            try users[number].pass(seconds: users[number].number(1...9000))
            for _ in 0..<2 { try users[number].change() }
            let done = try stores[number].journal.entries(at: users[number].moment).count { !$0.isUndone }
            if done > 0, users[number].isTrue(60) {
                try stores[number].journal.undo(min(done, users[number].number(1...3)), at: users[number].moment)
                if users[number].isTrue(30) { try stores[number].journal.redo(at: users[number].moment) }
            }
            let backups = try stores.map { try $0.backups.make(at: last) }
            let results = try [left, right].map { store in
                let order = Array(0..<3).shuffled(using: &random)
                if Bool.random(using: &random) {
                    // a, then b, then c; one of them twice.
                    try store.backups.restore(backups[order[0]], keepsCopy: false, at: last)
                    for index in order.dropFirst() + [order[0]] {
                        try store.backups.merge(backups[index], keepsCopy: false, at: last)
                    }
                } else {
                    // a into (b into c).
                    try store.backups.restore(backups[order[0]], keepsCopy: false, at: last)
                    try store.backups.merge(backups[order[1]], keepsCopy: false, at: last)
                    let both = try store.backups.make(at: last)
                    try store.backups.restore(backups[order[2]], keepsCopy: false, at: last)
                    try store.backups.merge(both, keepsCopy: false, at: last)
                }
                return try RandomUser.rows(store.backups.make(at: last))
            }
            let different = Set(results[0]).symmetricDifference(results[1])
            #expect(different.isEmpty, "\(seed)/\(round)")
            if !different.isEmpty { return }
        }
    }
}
