import TestKit
import Testing

/// Which client's allowance a request consumes, tested by the remaining allowance. All connections come from 127.0.0.1.
@Suite struct ClientAddressTests {
    private static let full = "r=119;"

    /// Each request must have consumed one unit of the allowance of `client`.
    private func expect(
        _ fields: [String], countFor client: String?, trusting proxies: String = "127.0.0.0/8, 10.0.0.1, fd00::/8",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let server = try TestServer(settings: ["trusted_proxies": proxies])
        defer { server.end() }
        func ask(_ fields: [String]) throws -> String? {
            try server.exchange(HTTPCall("POST", "/api/v1/suggestions", fields, json: "[]"))["RateLimit"]
        }
        #expect(try ask(fields)?.contains(Self.full) == true, sourceLocation: sourceLocation)
        let same = try ask(client.map { ["X-Forwarded-For: \($0)"] } ?? [])
        #expect(same?.contains("r=118;") == true, "it counted for another", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        (#"Forwarded: for=203.0.113.7"#, "203.0.113.7"),
        (#"forwarded: For="203.0.113.7:4711";proto=https;by=10.0.0.1"#, "203.0.113.7"),
        (#"Forwarded: for=203.0.113.7:4711"#, "203.0.113.7"),
        (#"Forwarded: for="[2001:db8::7]""#, "2001:db8::7"),
        (#"Forwarded: proto=http; for="[2001:db8::7]:80""#, "2001:db8::7"),
        (#"Forwarded: for=198.51.100.1, for=203.0.113.7, for=10.0.0.1"#, "203.0.113.7"),
        (#"Forwarded: for=203.0.113.7;host="a,b;for=1.2.3.4", for="[fd00::1]""#, "203.0.113.7"),
        (#"Forwarded: for=unknown, for=203.0.113.7"#, "203.0.113.7"), (#"Forwarded: ,for=203.0.113.7,"#, "203.0.113.7"),
        // All addresses on the path are trusted, so the first one is the client.
        (#"Forwarded: for=127.0.0.9, for=10.0.0.1"#, "127.0.0.9"),
        ("X-Forwarded-For: 198.51.100.1, 203.0.113.7,10.0.0.1", "203.0.113.7"),
        ("X-Forwarded-For: 203.0.113.7:4711", "203.0.113.7"), ("X-Forwarded-For: [2001:db8::7]:80", "2001:db8::7"),
        // U+0600 would be one character with the comma after it.
        ("X-Forwarded-For: 198.51.100.1\u{600}, 203.0.113.7", "203.0.113.7"),
        ("Forwarded: for=198.51.100.1\u{600},for=203.0.113.7", "203.0.113.7"),
    ])
    func takesTheLastAddressThatIsNoProxy(field: String, client: String) throws {
        try expect([field], countFor: client)
    }

    @Test(arguments: [
        "Forwarded: for=unknown", "Forwarded: for=203.0.113.7, for=_hidden", "Forwarded: proto=https",
        "Forwarded: for=",
        "Forwarded: for=203.0.113.7;for=203.0.113.8", #"Forwarded: for="203.0.113.7"#,
        #"Forwarded: for="203.0.113.7\""#,
        "Forwarded: for=[2001:db8::7]", "Forwarded: for=203.0.113.7:port", "Forwarded: 203.0.113.7",
        #"Forwarded: for="2001:db8::7:80]""#, "Forwarded: for=203.0.113.07", "Forwarded: for=203.0.113.7 for=1.2.3.4",
        "X-Forwarded-For: unknown", "X-Forwarded-For: 203.0.113.7, rubbish", "X-Forwarded-For: 203.0.113.7/8",
        "X-Forwarded-For: [203.0.113.7]", "X-Forwarded-For:",
    ])
    func isThePeerWhenTheProxyCannotBeUnderstood(field: String) throws {
        try expect([field], countFor: nil)
    }

    /// A proxy that appends to one field passes on the other one as the client has sent it.
    @Test(arguments: [
        "for=203.0.113.7", "for=203.0.113.8", "for=192.0.2.1", "for=unknown", "for=10.0.0.1", "rubbish", "", #"for=""#,
    ])
    func ignoresTheFieldThatTheProxyDoesNotWrite(forged: String) throws {
        try expect(["Forwarded: \(forged)", "X-Forwarded-For: 203.0.113.8"], countFor: "203.0.113.8")
        let server = try TestServer(settings: ["trusted_proxies": "127.0.0.1"])
        defer { server.end() }
        func left(_ fields: String...) throws -> Substring? {
            try server.exchange(HTTPCall("POST", "/api/v1/suggestions", fields, json: "[]"))["RateLimit"]?
                .firstMatch(of: /r=\d+/)?.output
        }
        // This proxy has shown that it writes Forwarded.
        #expect(try left("Forwarded: for=203.0.113.8") == "r=119")
        let address = forged.replacing("for=", with: "")
        #expect(try left("Forwarded: for=203.0.113.8", "X-Forwarded-For: \(address)") == "r=118")
        #expect(try left("Forwarded: for=203.0.113.8") == "r=117")
    }

    /// Another program on the proxy's machine has the proxy's address, and must not decide which field counts.
    @Test func aProxyThatWroteOneFieldKeepsIt() throws {
        let server = try TestServer(settings: ["trusted_proxies": "127.0.0.1"])
        defer { server.end() }
        func left(_ fields: String...) throws -> Substring? {
            try server.exchange(HTTPCall("POST", "/api/v1/suggestions", fields, json: "[]"))["RateLimit"]?
                .firstMatch(of: /r=\d+/)?.output
        }
        #expect(try left("X-Forwarded-For: 203.0.113.8") == "r=119")
        #expect(try left("Forwarded: for=198.51.100.1") == "r=119")
        for number in 1...3 {
            let invented = "Forwarded: for=192.0.2.\(number)"
            #expect(try left(invented, "X-Forwarded-For: 203.0.113.8") == "r=\(119 - number)")
        }
    }

    /// What a client sends ahead of the proxy's own part must not make it unreadable.
    @Test(arguments: [
        [#"Forwarded: for="192.0.2.1, for=203.0.113.7"#], [#"Forwarded: for="\"#, "Forwarded: for=203.0.113.7"],
        [#"Forwarded: ;=;"",,, for=203.0.113.7"#], ["Forwarded: for=a;for=b, for=203.0.113.7, for=10.0.0.1"],
        ["X-Forwarded-For: \"\", ,;, 203.0.113.7"],
    ])
    func readsThePartOfTheProxy(fields: [String]) throws {
        try expect(fields, countFor: "203.0.113.7")
    }

    @Test func readsAllLinesOfAField() throws {
        try expect(["Forwarded: for=198.51.100.1", "Forwarded: for=203.0.113.7"], countFor: "203.0.113.7")
        try expect(["X-Forwarded-For: 203.0.113.7", "X-Forwarded-For: 10.0.0.1"], countFor: "203.0.113.7")
    }

    @Test(arguments: ["", "10.0.0.1, 128.0.0.0/1"])
    func believesNobodyElse(proxies: String) throws {
        let server = try TestServer(settings: ["trusted_proxies": proxies])
        defer { server.end() }
        for (left, field) in [
            (119, "Forwarded: for=203.0.113.7"), (118, "X-Forwarded-For: 203.0.113.8"), (117, "X: y"),
        ] {
            let answer = try server.exchange(HTTPCall("POST", "/api/v1/suggestions", [field], json: "[]"))
            #expect(answer["RateLimit"]?.contains("r=\(left);") == true)
        }
    }

    /// Through a proxy there is one spelling of each path, so that its rules cannot be avoided.
    @Test(arguments: [false, true])
    func aProxyHasOneSpellingOfAPath(isRemoved: Bool) throws {
        let server = try TestServer(settings: [
            "trusted_proxies": "127.0.0.1", "public_url": "https://example.com/subguard",
            "proxy_removes_path": "\(isRemoved)",
        ])
        defer { server.end() }
        func status(_ path: String, _ fields: String...) throws -> Int {
            try server.exchange(HTTPCall("GET", path, fields)).status
        }
        let proxied = "X-Forwarded-For: 203.0.113.7"
        #expect(try status("/healthz", proxied) == (isRemoved ? 200 : 404))
        #expect(try status("/subguard/healthz", proxied) == (isRemoved ? 404 : 200))
        #expect(try status("/subguard/subguard/healthz", proxied) == 404)
        // A program of the same machine, such as a monitor.
        #expect(try status("/healthz") == 200)
    }
}
