import SubGuardDomain
import TestKit
import Testing

@Suite struct MergeTests {
    private typealias Store = [MergeRecord.Key: MergeRecord]

    /// Few keys, registers and timestamps, so that ties and conflicts are frequent.
    private func store(_ random: inout SeededRandom) -> Store {
        var store: Store = [:]
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let key = MergeRecord.Key(table: "t", values: [.integer(Int64.random(in: 0...3, using: &random))])
            var registers: [String: MergeRegister] = [:]
            for name in ["a", "b", "c"] where Bool.random(using: &random) {
                let stamp = HybridTimestamp(
                    milliseconds: Int64.random(in: 0...3, using: &random),
                    counter: UInt16.random(in: 0...1, using: &random),
                    node: UInt64.random(in: 0...1, using: &random))
                let values: [MergeValue] = [
                    .null, .integer(1), .text("é"), .text("e\u{301}"), .bytes([0]), .bytes([0, 1]),
                ]
                registers[name] = MergeRegister(values: [values[Int.random(in: 0..<6, using: &random)]], stamp: stamp)
            }
            store[key] = MergeRecord(key: key, registers: registers)
        }
        return store
    }

    @Test func isCommutativeAssociativeAndIdempotent() {
        var random = SeededRandom(seed: 10)
        for _ in 0..<5000 {
            let (a, b, c) = (store(&random), store(&random), store(&random))
            #expect(Merge.merged(a, b) == Merge.merged(b, a))
            #expect(Merge.merged(Merge.merged(a, b), c) == Merge.merged(a, Merge.merged(b, c)))
            #expect(Merge.merged(a, a) == a)
            #expect(Merge.merged(Merge.merged(a, b), b) == Merge.merged(a, b))
        }
    }

    @Test func applyingTheChangesIsMerging() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<3000 {
            let (mine, theirs) = (store(&random), store(&random))
            let outcome = Merge.changes(from: theirs.values) { mine[$0] }
            var changed = mine
            for change in outcome.changes {
                if changed[change.key] == nil {
                    changed[change.key] = change
                } else {
                    changed[change.key]?.registers.merge(change.registers) { $1 }
                }
            }
            #expect(changed == Merge.merged(mine, theirs))
            #expect(Set(outcome.added) == Set(theirs.keys).subtracting(mine.keys))
            for override in outcome.overridden {
                #expect(override.new.stamp >= override.old.stamp && override.new.values != override.old.values)
            }
        }
    }

    @Test func theNewestEditWinsAndAdditionsStay() {
        let key = { MergeRecord.Key(table: "t", values: [.integer($0)]) }
        let record = { (number: Int64, text: String, time: Int64) in
            MergeRecord(
                key: key(number),
                registers: [
                    "a": MergeRegister(
                        values: [.text(text)], stamp: HybridTimestamp(milliseconds: time, counter: 0, node: 1))
                ])
        }
        let mine = [key(1): record(1, "old", 5), key(2): record(2, "only mine", 1)]
        let theirs = [key(1): record(1, "new", 6), key(3): record(3, "only theirs", 1)]
        let merged = Merge.merged(mine, theirs)
        #expect(merged[key(1)]?.registers["a"]?.values == [.text("new")])
        #expect(merged.count == 3)
        let outcome = Merge.changes(from: theirs.values) { mine[$0] }
        #expect(outcome.overridden.map(\.old.values) == [[.text("old")]])
    }

    @Test func clocksNeverGoBack() throws {
        var random = SeededRandom(seed: 12)
        var clock = HybridClock(node: 7)
        var last = HybridTimestamp.origin
        for _ in 0..<5000 {
            if Bool.random(using: &random) {
                let seen = HybridTimestamp(
                    milliseconds: Int64.random(in: 0...1000, using: &random), counter: .max, node: 9)
                clock.observe(seen)
                if seen > last { last = seen }
            }
            let now = UTCInstant(millisecondsSinceEpoch: Int64.random(in: 0...1000, using: &random))
            let reading = try clock.tick(now: now)
            #expect(reading > last)
            #expect(HybridTimestamp(wire: reading.wire) == reading)
            last = reading
        }
        #expect(HybridTimestamp(wire: "x") == nil)
        #expect(HybridTimestamp(wire: String(repeating: "0", count: 31) + "+") == nil)
    }

    /// At the greatest timestamp it says so, and never issues an earlier one.
    @Test func aClockAtItsEndSaysSo() throws {
        let greatest = HybridTimestamp(milliseconds: .max, counter: .max - 1, node: 7)
        var clock = HybridClock(node: 7, last: greatest)
        let now = UTCInstant(secondsSinceEpoch: 1_700_000_000)
        #expect(try clock.tick(now: now) > greatest)
        for _ in 0..<3 { #expect(throws: HybridClock.Exhausted.self) { try clock.tick(now: now) } }
        #expect(clock.last.counter == .max)
    }
}
