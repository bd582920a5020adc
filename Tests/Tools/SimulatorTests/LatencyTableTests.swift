import Histogram
import Simulator
import Testing

@Suite struct LatencyTableTests {
    @Test func percentilesAreThoseOfTheValuesToThreeDigits() {
        var tally = LoadTally()
        // Each value from 1 ms to 1,000 ms once.
        for value in 1...1_000 { tally.fromDue.record(UInt64(value) * 1_000) }
        tally.fromSent.record(12_340)
        let rows = LatencyTable(tally).rows
        #expect(rows.map(\.name) == ["p50", "p90", "p99", "p99.9", "max"])
        for (row, expected) in zip(rows, [500_000.0, 900_000, 990_000, 999_000, 1_000_000]) {
            #expect(abs(Double(row.fromDueMicroseconds) - expected) <= expected / 1000)
            #expect(abs(Double(row.fromSentMicroseconds) - 12_340) <= 12.34)
        }
    }

    @Test func withoutASingleAnswerAllIsZero() {
        #expect(
            LatencyTable(LoadTally()).rows.allSatisfy { $0.fromDueMicroseconds == 0 && $0.fromSentMicroseconds == 0 })
    }

    @Test func columnsStandBelowTheirHeadings() {
        var tally = LoadTally()
        tally.fromDue.record(1_234_000)
        tally.fromSent.record(56)
        let lines = LatencyTable(tally).lines(isClosed: false)
        #expect(lines.count == 6)
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[1].hasSuffix("0.06"))
        #expect(lines[1].contains("1,234.00") || lines[1].contains("1,233.") || lines[1].contains("1,234."))
        #expect(LatencyTable(tally).lines(isClosed: true)[0].contains("from sent"))
    }

    @Test func talliesOfThreadsAddUp() {
        var one = LoadTally()
        one.fromDue.record(1_000)
        one.statuses = [202: 3, 503: 1]
        one.slices = [.init()]
        var other = LoadTally()
        other.fromDue.record(900_000_000)
        other.statuses = [202: 4]
        other.faults = [.timeout: 2]
        other.slices = [.init(), .init()]
        other.slices[1].answers = 5
        one.add(other)
        #expect(one.statuses == [202: 7, 503: 1])
        #expect(one.faultCount == 2)
        #expect(one.succeeded == 7)
        #expect(one.fromDue.totalCount == 2)
        #expect(one.slices.map(\.answers) == [0, 5])
        #expect(LatencyTable(one).rows[4].fromDueMicroseconds >= 899_000_000)
    }

    @Test(
        arguments: [
            (0.0, 0, "0"), (1_234_567.5, 1, "1,234,567.5"), (-999.999, 2, "-1,000.00"), (0.005, 2, "0.00"),
            (7, 3, "7.000"),
        ])
    func numbersAreGroupedAndRounded(_ value: Double, _ decimals: Int, _ text: String) {
        #expect(NumberText.fixed(value, decimals) == text)
    }
}
