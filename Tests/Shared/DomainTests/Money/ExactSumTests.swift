import SubGuardDomain
import TestKit
import Testing

@Suite struct ExactSumTests {
    private func cycle(_ wire: String) throws -> BillingCycle { try #require(BillingCycle(wire: wire)) }

    @Test func factorsAreThoseOfTheContract() throws {
        let expected: [(String, Int64, Int64)] = [
            ("daily", 365, 1), ("weekly", 52, 1), ("biweekly", 26, 1), ("monthly", 12, 1), ("quarterly", 4, 1),
            ("semi_annual", 2, 1), ("yearly", 1, 1), ("lifetime", 0, 1), ("every:10d", 365, 10), ("every:2w", 52, 2),
            ("every:18m", 12, 18), ("every:2y", 1, 2),
        ]
        for (wire, numerator, denominator) in expected {
            let factor = try cycle(wire).annualFactor
            #expect(factor.numerator == numerator && factor.denominator == denominator, "\(wire)")
        }
    }

    @Test func roundsHalvesToEven() throws {
        #expect(Money(minorUnits: 1, currency: .eur).annual(try cycle("every:2y")).minorUnits == 0)
        #expect(Money(minorUnits: 3, currency: .eur).annual(try cycle("every:2y")).minorUnits == 2)
        #expect(Money(minorUnits: 5, currency: .eur).annual(try cycle("every:2y")).minorUnits == 2)
        #expect(Money(minorUnits: 1000, currency: .jpy).annual(try cycle("every:18m")).minorUnits == 667)
    }

    @Test func roundsOnceAtTheEnd() throws {
        var sum = ExactSum()
        for _ in 0..<3 { sum.add(1, times: try cycle("every:3y").annualFactor) }
        #expect(sum.rounded() == 1)
        // A third and a seventh of a cent plus the remainder to half a cent: exact, so that the sum is a half and not
        // less.
        var half = ExactSum()
        half.add(1, times: try cycle("every:3y").annualFactor)
        half.add(1, times: try cycle("every:6y").annualFactor)
        #expect(half.rounded() == 0)
        half.add(1, times: try cycle("every:999y").annualFactor)
        #expect(half.rounded() == 1)
    }

    /// Compares with fractions over one common denominator, which is possible for small intervals.
    @Test func agreesWithFractionsOverOneDenominator() throws {
        var random = SeededRandom(seed: 2)
        let counts = [1, 2, 3, 4, 5, 6, 8, 9, 10, 12]
        let common: Int128 = 360
        for _ in 0..<3000 {
            var sum = ExactSum()
            var numerator: Int128 = 0
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let count = counts[Int.random(in: counts.indices, using: &random)]
                let amount = Int64.random(in: 0...100_000, using: &random)
                sum.add(amount, times: try cycle("every:\(count)y").annualFactor)
                numerator += Int128(amount) * (common / Int128(count))
            }
            for divisor in [Int64(1), 12] {
                let whole = common * Int128(divisor)
                let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: whole)
                let up = 2 * remainder > whole || 2 * remainder == whole && !quotient.isMultiple(of: 2)
                #expect(Int128(sum.rounded(dividedBy: divisor)) == quotient + (up ? 1 : 0))
            }
        }
    }

    @Test func amountsAreWrittenForPeople() {
        let amount = Money(minorUnits: -123_456_789, currency: .eur)
        #expect(amount.formatted(.english) == "-€1,234,567.89")
        #expect(amount.formatted(.french) == "-1\u{202F}234\u{202F}567,89\u{00A0}€")
        #expect(Money(minorUnits: 1200, currency: .jpy).formatted(.english) == "¥1,200")
        #expect(
            Currency(code: "CHF").map { Money(minorUnits: 150, currency: $0).formatted(.english) } == "CHF\u{00A0}1.50")
        #expect(
            Currency(code: "BHD").map { Money(minorUnits: 1, currency: $0).formatted(.french) } == "0,001\u{00A0}BHD")
    }
}
