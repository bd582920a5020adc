import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

extension OnlineTests {
    /// Compares docs/privacy.md with the server's privacy report.
    @Suite struct PrivacyPageTests {
        private func page() throws -> String {
            try RepositoryFile.text("docs/privacy.md")
        }

        @Test func namesEveryFieldThatTheServerKeepsOfDevices() throws {
            let page = try page()
            let tables = try Server().get("/api/v1/privacy")["tables"]?.arrayValue ?? []
            var fields: [String: [String]] = [:]
            for table in tables {
                let name = try #require(table["table"]?.stringValue)
                fields[name] = table["fields"]?.each("name")
                guard table["concerns"]?.stringValue == "devices" || table["concerns"]?.stringValue == "accounts" else {
                    continue
                }
                #expect(
                    page.contains("`\(name)`") || page.contains("`\(name)."),
                    "\(name) is kept of devices and not on the page")
            }
            let named = page.matches(of: /`([a-z_]+)\.([a-z_]+)`/)
            #expect(named.count > 5)
            for match in named {
                #expect(fields[String(match.1)]?.contains(String(match.2)) == true, "\(match.0) is on the page alone")
            }
        }

        @Test func namesEveryEventWithItsProperties() throws {
            let page = try page()
            let events = try Server().get("/api/v1/privacy")["events"]?.arrayValue ?? []
            #expect(events.count == EventRegistry.events.count)
            for event in events {
                let name = try #require(event["name"]?.stringValue)
                #expect(page.contains("`\(name)`"), "\(name)")
                for property in event["properties"]?.arrayValue ?? [] {
                    #expect(page.contains("`\(property.stringValue ?? "")`"), "\(name)")
                }
            }
        }
    }
}

extension OnlineTests {
    /// Runs the commands of docs/device.md that need a server against a new one.
    @Suite struct DevicePageTests {
        @Test func thePageSaysWhatHappens() throws {
            let page = try ConsolePage("docs/device.md", section: "A fortnight with a server")
            #expect(page.lines.count > 15)
            let server = try Server(isWhole: true)
            try page.expectToHold(port: server.port)
        }
    }
}

/// Runs the commands of the first week in docs/device.md in one shell, and compares their output with the page.
@Suite struct FirstWeekTests {
    @Test func thePageSaysWhatHappens() throws {
        let page = try ConsolePage("docs/device.md", section: "A first week")
        #expect(page.lines.count > 12)
        try page.expectToHold()
    }
}
