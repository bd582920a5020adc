import Telemetry
import Testing

struct FigureNumberTests {
    @Test(
        arguments: [
            (1, 3, "33.3"), (2, 3, "66.7"), (1, 8, "12.5"), (1, 16, "6.2"), (3, 16, "18.8"), (0, 7, "0.0"),
            (7, 7, "100.0"),
            (-1, 3, "-33.3"), (-2, 3, "-66.7"), (-1, 16, "-6.2"), (-3, 16, "-18.8"), (-1, 2000, "0.0"),
            (-3, 2000, "-0.2"),
            (-1, 1000, "-0.1"), (1, 2000, "0.0"), (3, 2000, "0.2"), (5, 2, "250.0"),
        ] as [(Int64, Int64, String)])
    func roundsPercentagesOnceHalfToEven(part: Int64, whole: Int64, expected: String) {
        #expect(FigureNumber.percent(part, of: whole)?.text == expected)
    }

    @Test func thereIsNoPercentageOfNothing() {
        #expect(FigureNumber.percent(5, of: 0) == nil)
        #expect(FigureNumber.percent(5, of: -2) == nil)
    }

    @Test func survivesTheLargestNumbers() {
        #expect(FigureNumber.percent(.max, of: .max)?.text == "100.0")
        #expect(FigureNumber.percent(.min, of: .max)?.text == "-100.0")
        #expect(FigureNumber.percent(.max, of: 1)?.text == "922337203685477580.7")
        #expect(FigureNumber.count(.min).text == "-9223372036854775808")
        #expect(FigureNumber.tenths(.min).text == "-922337203685477580.8")
    }
}
