import Testing

extension OnlineTests {
    /// Runs the lines of docs/devices.md against a fresh server.
    @Suite struct DevicesPageTests {
        @Test func thePageSaysWhatHappens() throws {
            let page = try ConsolePage("docs/devices.md")
            #expect(page.lines.count > 15)
            let server = try Server(isWhole: true)
            try page.expectToHold(port: server.port)
        }
    }
}
