import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct SettlementTests {
    private func balances(_ amounts: [Int64]) -> Balances {
        var balances = Balances()
        for (index, amount) in amounts.enumerated() where amount != 0 {
            let person = PersonAmount(personID: SplitTests.person(index), minorUnits: amount)
            balances.add(paid: [person], parts: [])
        }
        return balances
    }

    private func random(_ count: Int, _ limit: Int64, _ random: inout SeededRandom) -> [Int64] {
        var amounts = (0..<count - 1).map { _ in Int64.random(in: -limit...limit, using: &random) }
        amounts.append(-amounts.reduce(0, +))
        return amounts
    }

    /// Brute force: settles one balance with each possible other person, recursively.
    private func fewest(_ open: [Int64]) -> Int {
        guard let index = open.firstIndex(where: { $0 != 0 }) else { return 0 }
        var best = Int.max
        for other in open.indices where other > index && open[index] * open[other] < 0 {
            var rest = open
            rest[other] += rest[index]
            rest[index] = 0
            best = min(best, 1 + fewest(rest))
        }
        return best
    }

    @Test func settlesWithTheFewestTransfers() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<1500 {
            // Small amounts, so that groups that settle among themselves are frequent.
            let amounts = self.random(Int.random(in: 2...7, using: &random), 6, &random)
            let transfers = balances(amounts).settlement()
            #expect(transfers.count == fewest(amounts), "\(amounts)")
        }
    }

    @Test func alwaysSettlesAndNeverMovesNothing() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<1500 {
            let count = Int.random(in: 2...40, using: &random)
            var balances = self.balances(self.random(count, 100_000, &random))
            let transfers = balances.settlement()
            for transfer in transfers {
                #expect(transfer.minorUnits > 0 && transfer.from != transfer.to)
                balances.add(transfer)
            }
            #expect(balances.minorUnits.values.allSatisfy { $0 == 0 })
            #expect(transfers.count <= max(count - 1, 0))
        }
    }

    @Test func payingOneTransferLeavesOneFewer() {
        var random = SeededRandom(seed: 9)
        for _ in 0..<500 {
            let start = balances(self.random(Int.random(in: 2...9, using: &random), 50, &random))
            let transfers = start.settlement()
            for transfer in transfers {
                var paid = start
                paid.add(transfer)
                #expect(paid.settlement().count == transfers.count - 1)
            }
        }
    }

    @Test func theSameBalancesGiveTheSameTransfers() {
        let amounts: [Int64] = [500, -300, -200, 40, -40, 10, -10]
        #expect(balances(amounts).settlement() == balances(amounts).settlement())
        #expect(balances(amounts).settlement().count == 4)
    }
}
