/// RFC 9112 section 9.3.2: pipelined requests are answered in order, and a rejected one is the last.
enum PipeliningCases {
    static let all: [ConformanceCase] = [
        .pipelined("pipelined-three", "9112 9.3.2", times(3, get()), three, "one answer each"),
        .pipelined(
            "pipelined-100", "9112 9.3.2", times(100, get()), Array(repeating: .answer(200), count: 100),
            "one answer each"),
        .pipelined(
            "pipelined-order", "9112 9.3.2", get() + get(Address.nowhere) + post() + get(),
            [.answer(200), .answer(404), .answer(202), .answer(200)], "in the order of the requests"),
        .pipelined(
            "pipelined-bodies", "9112 9.3.2", post() + chunkedPost(Sample.chunked) + post(),
            [.answer(202), .answer(202), .answer(202)], "each body ends where it says"),
        .pipelined(
            "pipelined-head", "9110 9.3.2", request("HEAD") + get() + request("HEAD", Address.nowhere) + get(),
            [.answer(200, method: "HEAD"), .answer(200), .answer(404, method: "HEAD"), .answer(200)],
            "a body behind HEAD would be read as the next answer"),
        .pipelined(
            "pipelined-204-304", "9110 6.4.1",
            get(Address.document, "If-None-Match: *") + get() + get(Address.document, "If-None-Match: *"),
            [.answer(304), .answer(200), .answer(304)], "a body behind 304 would be read as the next answer"),
        .pipelined(
            "pipelined-empty-line-between", "9112 2.2", post() + "\r\n" + get(), [.answer(202), .answer(200)],
            "some clients send CRLF behind a body"),
        .pipelined(
            "pipelined-close-first", "9112 9.6", get(Address.page, "Connection: close") + get(),
            [.answer(200, checks: [.announcesClose])], "nothing is answered behind a close", ending: .closed),
        .pipelined(
            "pipelined-close-second", "9112 9.6", get() + get(Address.page, "Connection: close") + get(),
            [.answer(200, checks: [.staysOpen]), .answer(200, checks: [.announcesClose])],
            "what came before the close is answered", ending: .closed),
        .pipelined(
            "pipelined-bad-second", "9112 9.3.2", get() + "GET /healthz HTTP/1.1\r\nHost: h\r\nX : y\r\n\r\n" + get(),
            [.answer(200), .answer(400, checks: [.announcesClose])],
            "what came before is answered, what follows is not",
            ending: .closed),
        .pipelined(
            "pipelined-bad-body-second", "9112 7.1", get() + chunkedPost("7\r\n[12.34]XX0\r\n\r\n") + get(),
            [.answer(200), .answer(400, checks: [.announcesClose])],
            "what came before is answered, what follows is not",
            ending: .closed),
        .pipelined(
            "pipelined-te-cl-second", "9112 6.3",
            get() + post("Content-Length: 7|Transfer-Encoding: chunked", Sample.chunked) + get(),
            [.answer(200), .answer(400, 202)], "what came before is answered, what follows is not", ending: .closed),
        .pipelined(
            "pipelined-http10-first", "9112 9.3", "GET /healthz HTTP/1.0\r\n\r\n" + get(), [.answer(200)],
            "HTTP/1.0 closes by itself", ending: .closed),
        .pipelined(
            "pipelined-http10-then-11", "9112 9.3", "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + get(),
            [.answer(200), .answer(200)], "the version is each message's own"),
        .pipelined(
            "pipelined-body-of-refused", "9110 15.5.5",
            "POST /nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n[12.34]" + get(),
            [.answer(404), .answer(200)],
            "an unread body would be the next request"),
        .pipelined(
            "pipelined-options", "9112 3.2.4", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n" + get(),
            [.answer(204, 200, 405), .answer(200)], "204 has no body"),
        .pipelined(
            "pipelined-large-bodies", "9112 9.3.2",
            times(4, post(body: Sample.array(bytes: 70_000))), Array(repeating: .answer(202), count: 4),
            "bodies larger than one read"),
        ConformanceCase(
            "pipelined-one-by-one", "9112 9.3", "one connection, one request after another",
            steps: [.send(octets(get())), .awaitAnswer, .send(octets(post())), .awaitAnswer, .send(octets(get()))],
            answers: [.answer(200), .answer(202), .answer(200)], ending: .open),
    ]

    private static let three: [ExpectedAnswer] = [.answer(200), .answer(200), .answer(200)]
}
