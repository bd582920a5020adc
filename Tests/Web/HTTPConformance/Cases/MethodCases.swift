/// RFC 9110 section 9 and sections 15.5.6 and 15.6.2: known methods, methods not allowed for a path, unknown ones.
enum MethodCases {
    static let all = elsewhere + unknown + malformed

    private static let elsewhere: [ConformanceCase] = [
        .served(
            "method-post-on-page", "9110 15.5.6", [405],
            "POST /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "405 names what is allowed", .allows("GET", "HEAD")),
        .served(
            "method-delete-on-page", "9110 15.5.6", [405], request("DELETE"), "405 names what is allowed",
            .allows("GET", "HEAD")),
        .served(
            "method-patch-on-page", "9110 15.5.6", [405], request("PATCH"), "405 names what is allowed",
            .allows("GET", "HEAD")),
        .served(
            "method-put-with-body", "9110 15.5.6", [405],
            "PUT /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n[12.34]",
            "the body belongs to the request that is refused", .allows("GET", "HEAD")),
        .served(
            "method-get-on-form", "9110 15.5.6", [405, 202], get(Address.form), "405 names what is allowed"),
        .served(
            "method-head-on-form", "9110 15.5.6", [405, 202], request("HEAD", Address.form),
            "405 to HEAD has no body", method: "HEAD"),
        .served(
            "method-trace", "9110 9.3.8", [405, 501],
            "TRACE /healthz HTTP/1.1\r\nHost: h\r\nX-Secret: 12.34\r\n\r\n",
            "echoing a request hands credentials to a script", .bodyLacks("12.34"), ending: .openOrClosed),
        .served(
            "method-options-page", "9110 9.3.7", [204, 200], request("OPTIONS"), "OPTIONS tells the methods",
            .allows("GET", "HEAD")),
        .served(
            "method-options-form", "9110 9.3.7", [204, 200, 202], request("OPTIONS", Address.form),
            "OPTIONS tells the methods"),
        .served(
            "method-options-nowhere", "9110 9.3.7", [404, 204, 200, 405], request("OPTIONS", Address.nowhere),
            "an unknown address has no methods"),
        .served(
            "method-post-nowhere", "9110 15.5.5", [404, 405],
            "POST /nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n[12.34]",
            "the body belongs to the request that is refused"),
        .served(
            "method-delete-with-body", "9110 9.3.5", [405],
            "DELETE /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n[12.34]",
            "DELETE may have a body, and it is read"),
    ]

    private static let unknown: [ConformanceCase] = [
        .mayRefuse("method-unknown", "9110 9.1", [501, 405, 400], request("BREW"), "an unknown method"),
        .mayRefuse(
            "method-of-webdav", "9110 9.1", [501, 405, 400], request("PROPFIND"), "known elsewhere, not here"),
        .mayRefuse("method-with-dash", "9110 9.1", [501, 405, 400], request("M-SEARCH"), "known elsewhere, not here"),
        .mayRefuse("method-query", "9110 9.1", [501, 405, 400], request("QUERY"), "known elsewhere, not here"),
        .mayRefuse(
            "method-lower-case", "9110 9.1", [501, 405, 400], request("get"), "methods are case-sensitive"),
        .mayRefuse("method-mixed-case", "9110 9.1", [501, 405, 400], request("Get"), "methods are case-sensitive"),
        .mayRefuse("method-prefix", "9110 9.1", [501, 405, 400], request("GE"), "a part of a name is not the name"),
        .mayRefuse("method-longer", "9110 9.1", [501, 405, 400], request("GETS"), "a longer name is not the name"),
        .mayRefuse(
            "method-all-tchars", "9110 5.6.2", [501, 405, 400], request("!#$%&'*+-.^_`|~09"), "any token is a method"),
        .mayRefuse(
            "method-400-letters", "9110 9.1", [501, 405, 400, 414], request(times(400, "A")), "longer than any"),
        .mayRefuse(
            "method-unknown-with-body", "9110 9.1", [501, 405, 400],
            "BREW /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n[12.34]",
            "the body is no further request"),
        .mayRefuse(
            "method-connect", "9110 9.3.6", [501, 405, 400], "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n",
            "an origin server opens no tunnels"),
        .mayRefuse(
            "method-connect-path", "9110 9.3.6", [501, 405, 400], request("CONNECT"),
            "an origin server opens no tunnels"),
    ]

    private static let malformed: [ConformanceCase] = [
        .refused("method-parenthesis", "9110 5.6.2", [400], request("GET("), "no token"),
        .refused("method-quote", "9110 5.6.2", [400], request("\"GET\""), "no token"),
        .refused("method-at", "9110 5.6.2", [400], request("G@T"), "no token"),
        .refused("method-brace", "9110 5.6.2", [400], request("{GET}"), "no token"),
        .refused("method-colon", "9110 5.6.2", [400], request("GET:"), "no token"),
        .refused("method-comma", "9110 5.6.2", [400], request("GET,POST"), "no token"),
        .refused("method-octet-over-127", "9110 5.6.2", [400], request("G\u{C9}T"), "no token"),
        .refused("method-delete-octet", "9110 5.6.2", [400], request("GET\u{7F}"), "no token"),
        .refused("method-escape-octet", "9110 5.6.2", [400], request("\u{1B}GET"), "no token"),
    ]
}
