import HTTPWire
import TestKit
import Testing

@testable import HTTPServer

@Suite struct RequestIdentityTests {
    @Test(arguments: ["a", "2024-02-29T12:34", "!~", String(repeating: "x", count: 128), "\"<>&'\\"])
    func takesTheClientsOwn(_ id: String) throws {
        let server = try TestServer()
        let response = try server.get("/id", "X-Request-Id: \(id)")
        #expect(response.values(of: "X-Request-Id") == [id])
        #expect(response.text == id)
    }

    @Test(arguments: ["", "a b", "a\tb", "caf\u{E9}", "\u{1F355}", String(repeating: "x", count: 129)])
    func makesOneInsteadOfAnUnfitOne(_ id: String) throws {
        let server = try TestServer()
        let response = try server.get("/id", "X-Request-Id: \(id)")
        let made = try #require(response["X-Request-Id"])
        #expect(made.count == 32)
        #expect(made.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(response.text == made)
    }

    @Test func makesADifferentOneEachTime() throws {
        let server = try TestServer()
        let client = try server.connect()
        let ids = try (0..<100).map { _ in try client.exchange(TestServer.get("/id")).text }
        #expect(Set(ids).count == 100)
    }

    @Test func doesNotKeepTheIdOfTheRequestBefore() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(try client.exchange(TestServer.get("/id", "X-Request-Id: mine")).text == "mine")
        #expect(try client.exchange(TestServer.get("/id")).text != "mine")
        #expect(try client.exchange(TestServer.get("/nowhere", "X-Request-Id: mine"))["X-Request-Id"] == "mine")
        try client.send("nonsense\r\n\r\n")
        #expect(try client.readResponse()["X-Request-Id"]?.count == 32)
    }

    @Test func sourceDoesNotRepeat() {
        var source = IdentitySource()
        var seen: Set<[UInt64]> = []
        for _ in 0..<10_000 {
            let (high, low) = source.next()
            seen.insert([high, low])
        }
        #expect(seen.count == 10_000)
        var other = IdentitySource()
        let (high, low) = other.next()
        #expect(!seen.contains([high, low]))
    }
}
