/// RFC 9110 sections 6.4, 6.6, 8.6, 9.3.2, 15: responses. Date, version and repeated fields are checked in every case
/// of the table.
enum ResponseCases {
    static let all = bodies + fields

    private static let bodies: [ConformanceCase] = [
        .pipelined(
            "response-head-like-get", "9110 9.3.2", get() + request("HEAD"),
            [
                .answer(200, checks: [.has("Content-Length")]),
                .answer(200, method: "HEAD", checks: [.saysTheSame("Content-Length"), .saysTheSame("Content-Type")]),
            ], "HEAD says what GET would"),
        .served(
            "response-head-404", "9110 9.3.2", [404], request("HEAD", Address.nowhere), "no body on HEAD",
            method: "HEAD"),
        .served(
            "response-head-document", "9110 9.3.2", [200], request("HEAD", Address.document), "no body on HEAD",
            method: "HEAD"),
        .served(
            "response-304", "9110 15.4.5", [304], get(Address.document, "If-None-Match: *"), "no body on 304",
            .has("ETag"), .lacks("Content-Type")),
        .served(
            "response-304-head", "9110 15.4.5", [304],
            "HEAD /api/v1/catalogue HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n", "no body on 304", method: "HEAD"),
        .served(
            "response-200-other-tag", "9110 13.1.2", [200], get(Address.document, "If-None-Match: \"12.34\""),
            "another tag is another state", .has("ETag")),
        .served(
            "response-no-body-on-options", "9110 15.3.5", [204, 200], request("OPTIONS"),
            "204 has neither body nor length"),
        .served(
            "response-404-body", "9112 6.3", [404], get(Address.nowhere), "a body has its framing",
            .has("Content-Length")),
        .closing(
            "response-http10-length", "9112 6.1", [200], "GET /api/v1/catalogue HTTP/1.0\r\n\r\n",
            "HTTP/1.0 knows no codings", .lacks("Transfer-Encoding")),
        .refused(
            "response-400-body", "9112 6.3", [400], "GET /healthz HTTP/1.1\r\n\r\n",
            "a refusal is an answer like any other",
            .has("Content-Length"), .has("Date")),
        .refused(
            "response-400-to-head", "9110 9.3.2", [400], "HEAD /healthz HTTP/1.1\r\n\r\n",
            "no body on HEAD, refused or not", method: "HEAD"),
        .refused(
            "response-414-date", "9110 6.6.1", [414, 400], get("/\(times(9000, "a"))"), "a refusal has a Date",
            .has("Date")),
    ]

    private static let fields: [ConformanceCase] = [
        .served("response-type", "9110 8.3", [200], get(), "a body has a type", .has("Content-Type")),
        .served(
            "response-allow-get", "9110 10.2.1", [405], request("DELETE"), "405 must name what is allowed",
            .has("Allow")),
        .served(
            "response-no-coding-unasked", "9110 12.5.3", [200], get(Address.document), "who does not ask gets no gzip",
            .lacks("Content-Encoding")),
        .served(
            "response-no-coding-refused", "9110 12.5.3", [200], get(Address.document, "Accept-Encoding: gzip;q=0"),
            "q=0 is a no", .lacks("Content-Encoding")),
        .served(
            "response-no-coding-all-refused", "9110 12.5.3", [200, 406],
            get(Address.document, "Accept-Encoding: identity, *;q=0"), "everything else is refused",
            .lacks("Content-Encoding")),
        .served(
            "response-range-bad", "9110 14.2", [200, 400, 416], get(Address.page, "Range: bytes=9-1"),
            "a bad range is ignored or refused"),
        .served(
            "response-range-unit", "9110 14.2", [200], get(Address.page, "Range: lines=1-2"),
            "an unknown unit is ignored"),
        .served(
            "response-range", "9110 14.2", [200, 206, 416], get(Address.page, "Range: bytes=0-1"), "ranges are optional"
        ),
        .served(
            "response-bad-date", "9110 13.1.3", [200], get(Address.page, "If-Modified-Since: 12.34"),
            "no date, no condition"),
        .served(
            "response-other-version", "9110 2.5", [200, 505], "GET /healthz HTTP/1.2\r\nHost: h\r\n\r\n",
            "the answer has our version", ending: .openOrClosed),
        .served(
            "response-splitting", "9112 11.1", [200, 400], get("/healthz?x=%0d%0aSet-Cookie:%20a=b"),
            "what is decoded must not become a field", .lacks("Set-Cookie")),
        .served(
            "response-referrer", "9110 17.9", [200],
            get(Address.page, "Referer: http://u:p@h/", "From: x", "Max-Forwards: 0"),
            "fields that mean nothing here"),
    ]
}
