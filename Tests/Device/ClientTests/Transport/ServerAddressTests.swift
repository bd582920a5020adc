import Foundation
import SubGuardClient
import Testing

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("https://A.Example", "https://a.example"), ("https://a.example:443/", "https://a.example"),
        ("https://a.example:8443/sub/", "https://a.example:8443/sub"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.9.8.7", "http://127.9.8.7"), ("http://localhost:80", "http://localhost"),
        ("HTTPS://a.example", "https://a.example"),
    ])
    func takes(_ text: String, _ meaning: String) throws {
        #expect(try ServerAddress(text).text == meaning)
    }

    @Test(arguments: [
        "", "a.example", "ftp://a.example", "http://a.example", "http://10.0.0.1", "http://127.0.0.1.example",
        "http://localhost.example", "http://127.0.0.999", "http://127.1", "https://user@a.example",
        "https://user:secret@a.example", "https://a.example?x=1", "https://a.example#x", "https://",
        "https:// a.example",
        "https://a.example:0", "https://a.example:70000", "http://[::2]", "http://[::1]:8080", "https://[2001:db8::1]",
        "http://127.0.0.01", "javascript:alert(1)", "https://é.example",
        "http://127.0.0.1@evil.example",
    ])
    func refuses(_ text: String) {
        #expect(throws: ServerAddress.Invalid.self) { try ServerAddress(text) }
    }
}

@Suite struct ClientErrorTests {
    /// An error stored by a synchronisation can be shown later in any language.
    @Test func aNoteGivesTheErrorBack() {
        let awkward = "\"12.34\" — é 🎉 \\ \n /"
        let connections: [ConnectionFault] = [
            .nobodyListens, .noSuchHost, .offline, .noTLS, .noHTTP, .garbled, .cut, .timedOut, .unusableAddress,
            .other(awkward),
        ]
        let credentials: [CredentialFault] = [
            .open(path: awkward), .notOwnFile(path: awkward), .damaged(path: awkward), .unusable(awkward),
        ]
        let errors: [ClientError] =
            connections.map { .unreachable($0) } + CertificateFault.allCases.map { .untrusted($0) }
            + credentials.map { .credentials($0) } + [
                .refused(status: 422, code: nil, detail: awkward), .refused(status: 503, code: "a", detail: ""),
                .unreadable(call: "/api/v1/catalogue"), .redirected, .answerTooLarge, .cancelled, .notSignedIn,
                .sessionEnded, .busy, .unsafeLock(path: awkward), .outOfTime, .moreLeft, .store(awkward),
            ]
        for error in errors { #expect(ClientError(note: error.note) == error) }
        #expect(Set(errors.map(\.note)).count == errors.count)
    }

    @Test(arguments: ["", "server unreachable: network error -1", "{}", "[]", "{\"unreachable\":1}"])
    func anotherTextIsNone(_ text: String) { #expect(ClientError(note: text) == nil) }
}

@Suite struct RetryPolicyTests {
    @Test func pausesGrowAreBoundedAndEnd() {
        let policy = RetryPolicy()
        #expect(policy.pause(afterAttempt: 1, retryAfter: nil, chance: 1) == .milliseconds(500))
        #expect(policy.pause(afterAttempt: 3, retryAfter: nil, chance: 1) == .seconds(2))
        #expect(policy.pause(afterAttempt: 3, retryAfter: nil, chance: 0) == .zero)
        #expect(policy.pause(afterAttempt: 3, retryAfter: nil, chance: 0.5) == .seconds(1))
        #expect(policy.pause(afterAttempt: 4, retryAfter: nil, chance: 1) == nil)
        var patient = policy
        patient.attempts = 100
        #expect(patient.pause(afterAttempt: 99, retryAfter: nil, chance: 1) == .seconds(8))
    }

    @Test func whatTheServerAsksForIsTheLeast() {
        let policy = RetryPolicy()
        #expect(policy.pause(afterAttempt: 1, retryAfter: 7, chance: 0) == .seconds(7))
        #expect(policy.pause(afterAttempt: 1, retryAfter: 30, chance: 1) == .milliseconds(30_500))
        #expect(policy.pause(afterAttempt: 1, retryAfter: 31, chance: 0) == nil)
        #expect(policy.pause(afterAttempt: 1, retryAfter: -3, chance: 0) == .zero)
    }
}
