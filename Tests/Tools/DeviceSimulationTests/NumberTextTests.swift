import Testing

@testable import DeviceSimulation

@Suite struct NumberTextTests {
    @Test(
        arguments: [
            (0.0, 0, "0"), (1_234_567.5, 1, "1,234,567.5"), (-999.999, 2, "-1,000.00"), (0.005, 2, "0.00"),
            (7, 3, "7.000"),
        ])
    func numbersAreGroupedAndRounded(_ value: Double, _ decimals: Int, _ text: String) {
        #expect(NumberText.fixed(value, decimals) == text)
    }
}
