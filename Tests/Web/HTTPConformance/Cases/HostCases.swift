/// RFC 9112 section 3.2 and RFC 9110 section 7.2: without exactly one valid Host, the target is ambiguous.
enum HostCases {
    static let all = bad + sound

    private static func hosts(_ hosts: String...) -> String {
        "GET /healthz HTTP/1.1\r\n" + hosts.map { "Host:\($0)\r\n" }.joined() + "\r\n"
    }

    private static let bad: [ConformanceCase] = [
        .refused("host-missing", "9112 3.2", [400], hosts(), "a request of HTTP/1.1 has a Host"),
        .refused("host-twice-equal", "9112 3.2", [400], hosts(" h", " h"), "one Host, even when they agree"),
        .refused("host-twice", "9112 3.2", [400], hosts(" h", " i"), "two programs may pick different ones"),
        .refused(
            "host-twice-other-case", "9112 3.2", [400], "GET /healthz HTTP/1.1\r\nHost: h\r\nhOST: i\r\n\r\n",
            "names have no case"),
        .refused(
            "host-twice-apart", "9112 3.2", [400], "GET /healthz HTTP/1.1\r\nHost: h\r\nX: y\r\nHost: i\r\n\r\n",
            "two programs may pick different ones"),
        .refused(
            "host-twice-http10", "9112 3.2", [400], "GET /healthz HTTP/1.0\r\nHost: h\r\nHost: i\r\n\r\n",
            "any request with more than one"),
        .refused(
            "host-missing-absolute", "9112 3.2", [400], "GET http://h/healthz HTTP/1.1\r\n\r\n",
            "an absolute target does not stand for Host"),
        .refused("host-empty", "9110 4.2.1", [400, 200], hosts(""), "ours has a name", ending: .closedOrOpen),
        .refused("host-list", "9112 3.2", [400], hosts(" h, i"), "a list is no host"),
        .refused("host-blank-inside", "9112 3.2", [400], hosts(" a b"), "a host has no blanks"),
        .refused("host-path", "9112 3.2", [400], hosts(" h/x"), "a host has no path"),
        .refused("host-query", "9112 3.2", [400], hosts(" h?x"), "a host has no query"),
        .refused("host-fragment", "9112 3.2", [400], hosts(" h#x"), "a host has no fragment"),
        .refused("host-user", "9112 3.2", [400], hosts(" u@h"), "a host names no user"),
        .refused("host-uri", "9112 3.2", [400], hosts(" http://h"), "a URI is no host"),
        .refused("host-backslash", "9112 3.2", [400], hosts(" h\\x"), "not in a host"),
        .refused("host-less-than", "9112 3.2", [400], hosts(" <h>"), "not in a host"),
        .refused("host-brace", "9112 3.2", [400], hosts(" {h}"), "not in a host"),
        .refused("host-port-letters", "3986 3.2.3", [400], hosts(" h:8o"), "a port is digits"),
        .refused("host-port-negative", "3986 3.2.3", [400], hosts(" h:-1"), "a port is digits"),
        .refused("host-two-ports", "3986 3.2.3", [400], hosts(" h:80:80"), "one port"),
        .refused("host-port-blank", "3986 3.2.3", [400], hosts(" h: 80"), "a port is digits"),
        .refused(
            "host-port-too-large", "3986 3.2.3", [400, 200], hosts(" h:65536"), "no such port", ending: .closedOrOpen),
        .refused("host-port-alone", "3986 3.2.2", [400, 200], hosts(" :80"), "ours has a name", ending: .closedOrOpen),
        .refused("host-bracket-open", "3986 3.2.2", [400], hosts(" [::1"), "the bracket is not closed"),
        .refused("host-bracket-empty", "3986 3.2.2", [400], hosts(" []"), "no address"),
        .refused("host-bracket-letters", "3986 3.2.2", [400], hosts(" [::g]"), "no address", ending: .closedOrOpen),
        .refused(
            "host-bracket-two-gaps", "3986 3.2.2", [400], hosts(" [1::2::3]"), "no address", ending: .closedOrOpen),
        .refused(
            "host-bracket-long-group", "3986 3.2.2", [400], hosts(" [12345::]"), "no address", ending: .closedOrOpen),
        .refused(
            "host-bracket-nine-groups", "3986 3.2.2", [400], hosts(" [1:2:3:4:5:6:7:8:9]"), "no address",
            ending: .closedOrOpen),
        .refused("host-bracket-behind", "3986 3.2.2", [400], hosts(" [::1]x"), "a port or nothing follows"),
        .refused("host-ipv6-bare", "3986 3.2.2", [400], hosts(" ::1"), "IPv6 stands in brackets"),
        .refused("host-nul", "9110 5.5", [400], hosts(" h\0"), "NUL must be refused"),
        .refused(
            "host-octet-over-127", "3986 3.2.2", [400, 200], hosts(" h\u{E9}"), "other octets must be encoded",
            ending: .closedOrOpen),
        .refused(
            "host-percent", "3986 3.2.2", [400, 200], hosts(" h%41"), "allowed by the grammar, and no DNS name",
            ending: .closedOrOpen),
        .refused("host-blank-before-colon", "9112 5.1", [400], "GET /healthz HTTP/1.1\r\nHost : h\r\n\r\n", "no Host"),
        .refused("host-tab-inside", "9112 3.2", [400], hosts(" a\tb"), "a host has no blanks"),
    ]

    private static let sound: [ConformanceCase] = [
        .served("host-port", "9110 7.2", [200], hosts(" h:8080"), "host and port"),
        .served(
            "host-empty-port", "3986 3.2.3", [200, 400], hosts(" h:"), "a port may be empty", ending: .openOrClosed),
        .served("host-ipv4", "3986 3.2.2", [200], hosts(" 127.0.0.1:80"), "an address"),
        .served("host-ipv6", "3986 3.2.2", [200], hosts(" [::1]"), "an address in brackets"),
        .served("host-ipv6-port", "3986 3.2.2", [200], hosts(" [2001:db8::12.34.56.78]:443"), "an address in brackets"),
        .served("host-no-blank", "9112 5.1", [200], hosts("h"), "the blank is optional"),
        .served("host-blanks-around", "9110 5.6.3", [200], hosts(" \th \t"), "blanks around a value are no part of it"),
        .served("host-upper-case", "3986 3.2.2", [200], hosts(" H.EXAMPLE"), "hosts have no case"),
        .served("host-dot-at-end", "3986 3.2.2", [200], hosts(" h.example."), "a full name"),
        .served("host-underscore", "3986 3.2.2", [200], hosts(" _a._b"), "a reg-name is more than DNS"),
        .served(
            "host-last", "9112 3.2", [200], "GET /healthz HTTP/1.1\r\nX: y\r\nHost: h\r\n\r\n",
            "fields have no order"),
    ]
}
