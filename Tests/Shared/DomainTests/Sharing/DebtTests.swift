import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct DebtTests {
    private let me = Person.me
    private let people = (1...6).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8($0))) }

    private func day(_ text: String) throws -> CalendarDay { try SubscriptionFixture.day(text) }

    private func money(_ text: String, _ code: String = "EUR") throws -> Money {
        try Money(decimal: text, currency: try #require(Currency(code: code)))
    }

    @Test func theOddCentRotates() throws {
        let split = Split(kind: .even, people: [people[0], people[1]])
        let ledger = ShareLedger(
            subscriptionID: UUID(), name: "Spotify", periods: [SharePeriod(from: try day("2026-01-01"), split: split)])
        let charges = try (1...6).map { (on: try day("2026-0\($0)-05"), amount: try money("10.00")) }
        let debts = ledger.debts(of: charges, owner: me)
        // The owner has the odd cent first, then each of the others: over three charges everybody has the same.
        let parts = debts.map { "\($0.debtor == people[0] ? "a" : "b")\($0.amount.decimal)" }
        #expect(
            parts == [
                "a3.33", "b3.33", "a3.34", "b3.33", "a3.33", "b3.34", "a3.33", "b3.33", "a3.34", "b3.33", "a3.33",
                "b3.34",
            ])
        let open = debts.balances(of: me)
        #expect(open.map(\.amount.decimal) == ["20.00", "20.00"] && open.allSatisfy { $0.since.iso == "2026-01-05" })
    }

    @Test func peopleComeAndGoFromADayOn() throws {
        let ledger = ShareLedger(
            subscriptionID: UUID(), name: "Garage",
            periods: [
                SharePeriod(
                    from: try day("2026-02-01"), split: Split(kind: .exact, people: [people[0]], weights: [4000])),
                SharePeriod(from: try day("2026-03-01"), split: Split(kind: .even, people: [people[0], people[1]])),
                SharePeriod(from: try day("2026-05-01"), split: nil),
            ])
        let charges = try (1...6).map { (on: try day("2026-0\($0)-28"), amount: try money("90.00")) }
        let open = ledger.debts(of: charges, owner: me).balances(of: me)
        #expect(open.map(\.amount.decimal) == ["100.00", "60.00"])
        #expect(open.map(\.since.iso) == ["2026-02-28", "2026-03-28"])
        // Who was deleted bears nothing from that day on.
        let left = ledger.debts(of: charges, owner: me, left: [people[0]: try day("2026-04-01")]).balances(of: me)
        #expect(left.map(\.amount.decimal) == ["70.00", "60.00"])
        // A charge below the fixed part makes no debt.
        #expect(ledger.debts(of: [(on: try day("2026-02-28"), amount: try money("39.99"))], owner: me).isEmpty)
    }

    @Test func aRepaymentClosesADebtAndOneTooLargeTurnsIt() throws {
        let debt = Debt(
            debtor: people[0], creditor: me, amount: try money("20.00"), on: try day("2026-02-28"),
            source: .share(UUID()), title: "x")
        let repaid = { (amount: String, on: String) in
            Repayment(
                id: UUID(), from: people[0], to: me, amount: try money(amount), paidOn: try day(on),
                createdAt: UTCInstant(secondsSinceEpoch: 0)
            ).debt
        }
        #expect([debt, try repaid("20", "2026-03-01")].balances(of: me).isEmpty)
        let part = [debt, try repaid("5", "2026-03-01")].balances(of: me)
        #expect(part.map(\.amount.decimal) == ["15.00"] && part[0].since.iso == "2026-02-28")
        let turned = [try repaid("25", "2026-03-01"), debt].balances(of: me)
        #expect(turned.map(\.amount.decimal) == ["-5.00"] && turned[0].since.iso == "2026-03-01")
        #expect(turned[0].personID == people[0])
    }

    /// Whatever was paid and split: what all owe and get sums to zero, debts agree with the balances of the expense,
    /// and the proposed payments close everything.
    @Test func balancesSumToZeroAndSettlingMakesThemZero() throws {
        var random = SeededRandom(seed: 20)
        let all = [me] + people
        for _ in 0..<400 {
            var debts: [Debt] = []
            var balances = Balances()
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let total = Int64.random(in: 1...100_000, using: &random)
                let members = Array(all.shuffled(using: &random).prefix(Int.random(in: 1...7, using: &random)))
                let first = Int64.random(in: 0...total, using: &random)
                let payers =
                    members.count > 1 && first > 0 && first < total
                    ? [
                        PersonAmount(personID: members[0], minorUnits: first),
                        PersonAmount(personID: members[1], minorUnits: total - first),
                    ] : [PersonAmount(personID: members[0], minorUnits: total)]
                let weights = members.map { _ in Int64.random(in: 1...9, using: &random) }
                let expense = GroupExpense(
                    id: UUID(), groupID: UUID(), title: "x", amount: Money(minorUnits: total, currency: .eur),
                    payers: payers,
                    split: Bool.random(using: &random)
                        ? Split(kind: .even, people: members) : Split(kind: .shares, people: members, weights: weights),
                    spentOn: try day("2026-11-20"), createdAt: UTCInstant(secondsSinceEpoch: 0))
                debts += try expense.debts()
                balances.add(paid: payers, parts: try expense.split.parts(of: expense.amount))
            }
            var sums: [UUID: Int64] = [:]
            for person in all { sums[person] = debts.balances(of: person).reduce(0) { $0 + $1.amount.minorUnits } }
            #expect(sums.values.reduce(0, +) == 0)
            for person in all { #expect(sums[person] == balances.minorUnits[person, default: 0]) }
            for transfer in balances.settlement() { balances.add(transfer) }
            #expect(balances.minorUnits.values.allSatisfy { $0 == 0 })
        }
    }
}
