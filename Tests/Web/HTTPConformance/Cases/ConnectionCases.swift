/// RFC 9112 section 9: how long a connection persists, and what must not end it.
enum ConnectionCases {
    static let all = closing + staying + halfClosed + pieces

    private static let closing: [ConformanceCase] = [
        .closing("connection-close", "9112 9.6", [200], get(Address.page, "Connection: close"), "the client wants it"),
        .closing(
            "connection-close-case", "9110 7.6.1", [200], get(Address.page, "Connection: CLOSE"), "options have no case"
        ),
        .closing(
            "connection-close-in-list", "9110 7.6.1", [200], get(Address.page, "Connection: x, close , y"),
            "one of several"),
        .closing(
            "connection-close-second-line", "9110 7.6.1", [200],
            get(Address.page, "Connection: keep-alive", "Connection: close"), "lists may be spread over lines"),
        .closing(
            "connection-close-and-keep-alive", "9112 9.3", [200], get(Address.page, "Connection: close, keep-alive"),
            "close wins"),
        .closing(
            "connection-close-nowhere", "9112 9.6", [404], get(Address.nowhere, "Connection: close"),
            "an error closes too"),
        .closing(
            "connection-close-with-body", "9112 9.6", [202],
            post("Connection: close|Content-Length: 7", Sample.body), "the body is read first"),
    ]

    private static let staying: [ConformanceCase] = [
        .served("connection-default", "9112 9.3", [200], get(), "HTTP/1.1 stays open", .staysOpen),
        .served("connection-keep-alive", "9112 9.3", [200], get(Address.page, "Connection: keep-alive"), "no news"),
        .served("connection-empty", "9110 7.6.1", [200], get(Address.page, "Connection:"), "an empty list"),
        .served("connection-commas", "9110 5.6.1", [200], get(Address.page, "Connection: ,,"), "an empty list"),
        .served(
            "connection-closed", "9110 7.6.1", [200], get(Address.page, "Connection: closed"), "a longer name",
            ending: .openOrClosed),
        .served(
            "connection-names-host", "9110 7.6.1", [200, 400], get(Address.page, "Connection: Host, Content-Length"),
            "who forwards drops these; we do not forward", ending: .openOrClosed),
        .served(
            "connection-of-proxies", "9112 C.2.2", [200], get(Address.page, "Proxy-Connection: close"),
            "no field of ours"),
        .served(
            "connection-keep-alive-field", "9112 C.2.2", [200], get(Address.page, "Keep-Alive: timeout=0, max=0"),
            "no field of ours"),
        .served(
            "connection-upgrade-h2c", "9110 7.8", [200],
            get(Address.page, "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ"),
            "an upgrade may be ignored", .lacks("Upgrade")),
        .served(
            "connection-upgrade-websocket", "9110 7.8", [200, 400, 426],
            get(
                Address.page, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="), "an upgrade may be ignored", .lacks("Upgrade")),
        .served(
            "connection-404", "9112 9.3", [404], get(Address.nowhere), "an error of the address ends nothing",
            .staysOpen),
    ]

    private static let halfClosed: [ConformanceCase] = [
        .ended("half-close-get", "9112 9.6", get(), [.answer(200)], "the answer can still be read"),
        .ended("half-close-post", "9112 9.6", post(), [.answer(202)], "the answer can still be read"),
        .ended(
            "half-close-chunked", "9112 9.6", chunkedPost(Sample.chunked), [.answer(202)],
            "the answer can still be read"),
        .ended(
            "half-close-three", "9112 9.3.2", get() + get(Address.nowhere) + get(),
            [.answer(200), .answer(404), .answer(200)], "the answers can still be read"),
        .ended("half-close-at-once", "9112 9.6", "", [], "nothing was asked"),
        .ended("half-close-in-line", "9112 8", "GET /healt", [], "the request is not whole"),
        .ended("half-close-in-head", "9112 8", "GET /healthz HTTP/1.1\r\nHost: h\r\n", [], "the request is not whole"),
        .ended("half-close-in-body", "9112 8", post("Content-Length: 7", "[12.3"), [], "the body is not whole"),
        .ended("half-close-in-chunk", "9112 8", chunkedPost("7\r\n[12.3"), [], "the body is not whole"),
        .ended("half-close-before-last-chunk", "9112 8", chunkedPost("7\r\n[12.34]\r\n"), [], "the body is not whole"),
        .ended("half-close-before-end", "9112 8", chunkedPost("7\r\n[12.34]\r\n0\r\n"), [], "the body is not whole"),
        .ended(
            "half-close-second-cut", "9112 8", get() + "GET /healthz HT", [.answer(200)],
            "the first is whole, the second not"
        ),
    ]

    private static func split(_ id: String, _ parts: [String], _ status: Int, _ reason: String) -> ConformanceCase {
        ConformanceCase(
            id, "9112 2", reason, steps: parts.map { .send(octets($0)) }, answers: [.answer(status)], ending: .open)
    }

    private static let pieces: [ConformanceCase] = [
        split("pieces-line", ["GET /hea", "lthz HT", "TP/1.1\r\nHost: h\r\n\r\n"], 200, "a packet is no unit"),
        split(
            "pieces-cr-lf", ["GET /healthz HTTP/1.1\r", "\nHost: h\r", "\n\r", "\n"], 200, "a line end in two packets"),
        split("pieces-head-body", [post("Content-Length: 7", ""), "[12", ".34]"], 202, "a body behind its head"),
        split(
            "pieces-chunks", [chunkedPost("7"), "\r", "\n[12", ".34]\r", "\n0", "\r\n\r", "\n"], 202,
            "a chunk in several packets"),
        split("pieces-empty-line-first", ["\r\n", get()], 200, "an empty line in a packet of its own"),
    ]
}
