/// RFC 9112 section 2.3 and RFC 9110 section 2.5: `HTTP/`, one digit, a dot, one digit.
enum VersionCases {
    static let all = known + unknown + malformed

    private static func line(_ version: String) -> String { "GET /healthz \(version)\r\nHost: h\r\n\r\n" }

    private static let known: [ConformanceCase] = [
        .mayServe(
            "version-1.2", "9110 2.5", [200, 505], line("HTTP/1.2"),
            "a higher minor version is read as the highest known"
        ),
        .mayServe(
            "version-1.9", "9110 2.5", [200, 505], line("HTTP/1.9"),
            "a higher minor version is read as the highest known"
        ),
        .closing(
            "version-1.0", "9112 9.3", [200], "GET /healthz HTTP/1.0\r\n\r\n",
            "HTTP/1.0 is served and closed, Host or not",
            .lacks("Transfer-Encoding")),
        .served(
            "version-1.0-keep-alive", "9112 9.3", [200], "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "HTTP/1.0 stays open when it asks", .has("Connection"), ending: .openOrClosed),
        .closing(
            "version-1.0-close", "9112 9.3", [200], "GET /healthz HTTP/1.0\r\nConnection: close\r\n\r\n",
            "close is close"),
        .closing(
            "version-1.0-close-and-keep-alive", "9112 9.3", [200],
            "GET /healthz HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "close wins"),
    ]

    private static let unknown: [ConformanceCase] = [
        .refused("version-2.0", "9110 15.6.6", [505, 400], line("HTTP/2.0"), "another major version"),
        .refused("version-3.0", "9110 15.6.6", [505, 400], line("HTTP/3.0"), "another major version"),
        .refused("version-9.9", "9110 15.6.6", [505, 400], line("HTTP/9.9"), "another major version"),
        .refused("version-0.9", "9110 15.6.6", [505, 400], line("HTTP/0.9"), "another major version"),
        .refused("version-0.0", "9110 15.6.6", [505, 400], line("HTTP/0.0"), "another major version"),
        .refused(
            "version-http2-preface", "9113 3.4", [505, 400], "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "a client that speaks HTTP/2 at once must be told"),
    ]

    private static let malformed: [ConformanceCase] = [
        .refused("version-lower-case", "9112 2.3", [400, 505], line("http/1.1"), "the name is case-sensitive"),
        .refused("version-mixed-case", "9112 2.3", [400, 505], line("Http/1.1"), "the name is case-sensitive"),
        .refused("version-two-digit-minor", "9112 2.3", [400, 505], line("HTTP/1.10"), "one digit each"),
        .refused("version-two-digit-major", "9112 2.3", [400, 505], line("HTTP/11.1"), "one digit each"),
        .refused("version-zero-before-minor", "9112 2.3", [400, 505], line("HTTP/1.01"), "one digit each"),
        .refused("version-zero-before-major", "9112 2.3", [400, 505], line("HTTP/01.1"), "one digit each"),
        .refused("version-no-minor", "9112 2.3", [400, 505], line("HTTP/1"), "one digit each"),
        .refused("version-empty-minor", "9112 2.3", [400, 505], line("HTTP/1."), "one digit each"),
        .refused("version-empty-major", "9112 2.3", [400, 505], line("HTTP/.1"), "one digit each"),
        .refused("version-empty", "9112 2.3", [400, 505], line("HTTP/"), "one digit each"),
        .refused("version-comma", "9112 2.3", [400, 505], line("HTTP/1,1"), "a dot stands between"),
        .refused("version-letter", "9112 2.3", [400, 505], line("HTTP/1.x"), "digits only"),
        .refused("version-word-behind", "9112 2.3", [400, 505], line("HTTP/1.1x"), "nothing follows the version"),
        .refused("version-third-part", "9112 2.3", [400, 505], line("HTTP/1.1.1"), "two parts only"),
        .refused("version-plus", "9112 2.3", [400, 505], line("HTTP/+1.1"), "digits only"),
        .refused("version-minus", "9112 2.3", [400, 505], line("HTTP/1.-1"), "digits only"),
        .refused("version-blank-inside", "9112 2.3", [400, 505], line("HTTP/ 1.1"), "no blanks inside"),
        .refused("version-backslash", "9112 2.3", [400, 505], line("HTTP\\1.1"), "a slash stands between"),
        .refused("version-other-name", "9112 2.3", [400, 505], line("HTTPS/1.1"), "another protocol"),
        .refused("version-of-rtsp", "9112 2.3", [400, 505], line("RTSP/1.0"), "another protocol"),
        .refused("version-nul", "9112 2.3", [400, 505], line("HTTP/1.1\0"), "nothing follows the version"),
    ]
}
