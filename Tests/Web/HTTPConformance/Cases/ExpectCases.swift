/// RFC 9110 section 10.1.1: a client that asks before it sends a body. After a response other than 100, the body may
/// still follow.
enum ExpectCases {
    static let all = continued + refused

    private static func head(_ fields: String, target: String = Address.form, version: String = "1.1") -> String {
        "POST \(target) HTTP/\(version)\r\nHost: h\r\nContent-Type: application/json\r\n"
            + fields.replacing("|", with: "\r\n") + "\r\n\r\n"
    }

    /// The body is sent after a response of the server.
    private static func waits(
        _ id: String, _ head: String, _ body: String, _ reason: String, interims: ClosedRange<Int> = 1...1
    ) -> ConformanceCase {
        ConformanceCase(
            id, "9110 10.1.1", reason,
            steps: [.send(octets(head)), .awaitAnswer, .send(octets(body))], answers: [.answer(202)], ending: .open,
            interims: interims)
    }

    /// The body is sent immediately, so a 100 is allowed but useless.
    private static func sends(
        _ id: String, _ text: String, _ statuses: [Int], _ reason: String, interims: ClosedRange<Int> = 0...1
    ) -> ConformanceCase {
        ConformanceCase(
            id, "9110 10.1.1", reason, steps: [.send(octets(text))],
            answers: [ExpectedAnswer(statuses: statuses)], ending: .open, interims: interims)
    }

    private static let continued: [ConformanceCase] = [
        waits(
            "expect-length", head("Expect: 100-continue|Content-Length: 7"), Sample.body,
            "the client waits for 100 before it sends"),
        waits(
            "expect-chunked", head("Expect: 100-continue|Transfer-Encoding: chunked"), Sample.chunked,
            "the client waits for 100 before it sends"),
        waits("expect-case", head("expect: 100-Continue|Content-Length: 7"), Sample.body, "the value has no case"),
        sends(
            "expect-body-there", head("Expect: 100-continue|Content-Length: 7") + Sample.body, [202], "the body is here"
        ),
        sends(
            "expect-http10",
            head("Expect: 100-continue|Content-Length: 7|Connection: keep-alive", version: "1.0")
                + Sample.body, [202], "HTTP/1.0 knows no 100", interims: 0...0),
        sends(
            "expect-no-body", get(Address.page, "Expect: 100-continue"), [200], "there is nothing to wait for"),
        sends(
            "expect-empty-body", get(Address.page, "Expect: 100-continue", "Content-Length: 0"), [200],
            "there is nothing to wait for", interims: 0...1),
    ]

    private static let refused: [ConformanceCase] = [
        .refused(
            "expect-too-large", "9110 10.1.1", [413], head("Expect: 100-continue|Content-Length: 1048577"),
            "413 instead of 100",
            ending: .closedOrAnything),
        .refused(
            "expect-nowhere", "9110 10.1.1", [404, 405],
            head("Expect: 100-continue|Content-Length: 7", target: Address.nowhere),
            "the answer is certain, and whether the body comes is not", ending: .closedOrAnything),
        .refused(
            "expect-other-method", "9110 10.1.1", [405],
            head("Expect: 100-continue|Content-Length: 7", target: Address.page),
            "the answer is certain, and whether the body comes is not", ending: .closedOrAnything),
        .refused(
            "expect-nowhere-too-large", "9110 10.1.1", [404, 405, 413],
            head("Expect: 100-continue|Content-Length: 1048577", target: Address.nowhere),
            "the answer is certain, and whether the body comes is not", ending: .closedOrAnything),
        .refused(
            "expect-unknown", "9110 10.1.1", [417, 400, 202], head("Expect: 12.34|Content-Length: 7") + Sample.body,
            "an expectation that is not known", ending: .closedOrOpen),
        .refused(
            "expect-unknown-on-get", "9110 10.1.1", [417, 400, 200], get(Address.page, "Expect: x"),
            "an expectation that is not known", ending: .closedOrOpen),
        .refused(
            "expect-list", "9110 10.1.1", [417, 400, 202],
            head("Expect: 100-continue, x|Content-Length: 7") + Sample.body,
            "one of two is not known", ending: .closedOrOpen),
        .refused(
            "expect-longer", "9110 10.1.1", [417, 400, 202],
            head("Expect: 100-continued|Content-Length: 7") + Sample.body,
            "a longer name is not the name", ending: .closedOrOpen),
        .refused(
            "expect-bad-length", "9112 6.2", [400], head("Expect: 100-continue|Content-Length: +7"),
            "the framing is judged first"),
        .refused(
            "expect-te-cl", "9112 6.3", [400],
            head("Expect: 100-continue|Content-Length: 7|Transfer-Encoding: chunked"), "the framing is judged first"),
    ]
}
