import Testing

/// Runs the lines of the first week in docs/engine.md in one shell, and compares what they print with what it says.
@Suite struct FirstWeekTests {
    @Test func thePageSaysWhatHappens() throws {
        let page = try ConsolePage("docs/engine.md")
        #expect(page.lines.count > 12)
        try page.expectToHold()
    }
}
