import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct SplitTests {
    static func person(_ number: Int) -> UUID {
        UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    }

    private func parts(_ kind: SplitKind, _ weights: [Int64], count: Int, of cents: Int64) throws -> [Int64] {
        try Split(kind: kind, people: (0..<count).map(Self.person), weights: weights)
            .parts(of: Money(minorUnits: cents, currency: .eur)).map(\.minorUnits)
    }

    @Test func restsGoToTheLargestRemainders() throws {
        #expect(try parts(.even, [], count: 3, of: 1000) == [334, 333, 333])
        #expect(try parts(.percent, [3333, 3333, 3334], count: 3, of: 1000) == [333, 333, 334])
        #expect(try parts(.shares, [2, 1], count: 2, of: 1000) == [667, 333])
        #expect(try parts(.exact, [1, 999], count: 2, of: 1000) == [1, 999])
        #expect(try parts(.free, [], count: 2, of: 1000) == [0, 0])
    }

    @Test func whatDoesNotFitIsRefused() {
        for (kind, weights) in [
            (SplitKind.percent, [5000, 4999]), (.exact, [1, 998]), (.shares, [0, 0]), (.shares, [-1, 2]),
            (.even, [1, 2]),
            (.percent, [10_000]),
        ] as [(SplitKind, [Int64])] {
            #expect(throws: Fault.self) { try parts(kind, weights, count: 2, of: 1000) }
        }
        let twice = Split(kind: .even, people: [Self.person(1), Self.person(1)])
        #expect(throws: Fault.self) { try twice.parts(of: Money(minorUnits: 10, currency: .eur)) }
        #expect(throws: Fault.self) {
            try Split(kind: .even, people: []).parts(of: Money(minorUnits: 10, currency: .eur))
        }
    }

    @Test func partsAlwaysAddUpAndAreNeverMoreThanACentOff() throws {
        var random = SeededRandom(seed: 6)
        for _ in 0..<5000 {
            let count = Int.random(in: 1...12, using: &random)
            let amount = Int64.random(in: 1...FieldRules.maximumMinorUnits, using: &random)
            var weights = (0..<count).map { _ in Int64.random(in: 0...1000, using: &random) }
            weights[0] += 1
            let found = try parts(.shares, weights, count: count, of: amount)
            #expect(found.reduce(0, +) == amount)
            let whole = Int128(weights.reduce(0, +))
            for (part, weight) in zip(found, weights) {
                let exact = Int128(amount) * Int128(weight)
                #expect((Int128(part) * whole - exact).magnitude < whole.magnitude)
            }
            let even = try parts(.even, [], count: count, of: amount)
            #expect((even.max() ?? 0) - (even.min() ?? 0) <= 1)
        }
    }

    @Test func aSharedSubscriptionCountsItsOwnerIn() throws {
        let price = Money(minorUnits: 1000, currency: .eur)
        let people = [Self.person(1), Self.person(2)]
        let owned = { (split: Split) in
            let parts = try SubscriptionShare(subscriptionID: Self.person(9), split: split).parts(of: price)
            return (parts.others.map(\.minorUnits), parts.owner)
        }
        let even = try owned(Split(kind: .even, people: people))
        #expect(even.0 == [333, 333] && even.1 == 334)
        let percent = try owned(Split(kind: .percent, people: people, weights: [2500, 2500]))
        #expect(percent.0 == [250, 250] && percent.1 == 500)
        let free = try owned(Split(kind: .free, people: people))
        #expect(free.0 == [0, 0] && free.1 == 1000)
        #expect(throws: Fault.self) { try owned(Split(kind: .exact, people: people, weights: [600, 600])) }
    }
}
