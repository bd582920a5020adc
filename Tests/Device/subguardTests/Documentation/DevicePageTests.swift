import Testing

extension OnlineTests {
    /// Runs the fortnight of docs/device.md against a fresh server.
    @Suite struct DevicePageTests {
        @Test func thePageSaysWhatHappens() throws {
            let page = try ConsolePage("docs/device.md", section: "A fortnight with a server")
            #expect(page.lines.count > 15)
            let server = try Server(isWhole: true)
            try page.expectToHold(port: server.port)
        }
    }
}
