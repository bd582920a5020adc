import Foundation
import SubGuardClient
import Testing

@Suite struct ClientErrorTests {
    /// What a synchronisation notes can be told later, in whichever language.
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

    @Test(arguments: ["", "the server cannot be reached: network error -1", "{}", "[]", "{\"unreachable\":1}"])
    func anotherTextIsNone(_ text: String) { #expect(ClientError(note: text) == nil) }
}
