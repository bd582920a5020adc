import Testing

/// Runs the lines of the first week in docs/device.md in one shell, and compares what they print with what it says.
@Suite struct FirstWeekTests {
    @Test func thePageSaysWhatHappens() throws {
        let page = try ConsolePage("docs/device.md", section: "A first week")
        #expect(page.lines.count > 12)
        try page.expectToHold()
    }
}
