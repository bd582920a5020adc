/// RFC 3986 section 5.2.4 and RFC 9110 section 17.3: dot segments must not lead out of the served folder. Our server
/// rejects them and keeps the connection, because the message is valid.
enum TraversalCases {
    static let all: [ConformanceCase] = [
        traversal("dot-segment-up", "/../healthz", "above the root is nothing"),
        traversal("many-up", "/../../../../../../etc/passwd", "above the root is nothing"),
        traversal("behind-folder", "/a/../../../../etc/passwd", "above the root is nothing"),
        traversal("inside", "/a/../healthz", "two programs may resolve this differently"),
        traversal("dot-segment", "/./healthz", "two programs may resolve this differently"),
        traversal("at-end", "/healthz/..", "two programs may resolve this differently"),
        traversal("dot-at-end", "/healthz/.", "two programs may resolve this differently"),
        traversal("encoded", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "%2e is a dot"),
        traversal("half-encoded", "/.%2E/healthz", "%2e is a dot"),
        traversal("encoded-dot", "/%2e/healthz", "%2e is a dot"),
        traversal("absolute", "http://h/../../etc/passwd", "the absolute form has a path too"),
        outside("encoded-slash", "/..%2f..%2f..%2fetc%2fpasswd", "%2f is no separator"),
        outside("encoded-backslash", "/..%5c..%5cetc%5cpasswd", "some read \\ as /"),
        outside("encoded-twice", "/%252e%252e/etc/passwd", "decoding is done once"),
        outside("overlong", "/%c0%ae%c0%ae/etc/passwd", "another spelling of a dot"),
        outside("parameters", "/..;/healthz", "some drop what follows ;"),
        outside("three-dots", "/.../healthz", "three dots are a name"),
        outside("dots-before", "/..healthz", "dots may begin a name"),
        outside("nul", "/..%00/healthz", "NUL would end a C string"),
        outside("utf16", "/%u002e%u002e/etc/passwd", "no encoding of a URI"),
    ]

    private static func traversal(_ name: String, _ target: String, _ reason: String) -> ConformanceCase {
        .served(
            "path-\(name)", "3986 5.2.4", [400, 404, 200, 403], get(target), reason, .bodyLacks("root:"),
            ending: .openOrClosed)
    }

    /// Either an ordinary address or none.
    private static func outside(_ name: String, _ target: String, _ reason: String) -> ConformanceCase {
        let ours =
            switch name {
            case "three-dots", "dots-before", "parameters", "encoded-twice", "encoded-slash", "encoded-backslash": 404
            default: 400
            }
        // An incomplete percent-encoding makes the whole message malformed.
        let ending = name == "utf16" ? ExpectedEnding.closedOrOpen : .openOrClosed
        return .served(
            "path-\(name)", "3986 5.2.4", ours == 404 ? [404, 400] : [400, 404], get(target), reason,
            .bodyLacks("root:"), ending: ending)
    }
}
