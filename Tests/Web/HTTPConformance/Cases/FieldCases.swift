/// RFC 9112 section 5 and RFC 9110 section 5: names, colons, values, folding.
enum FieldCases {
    static let all = names + values + folding + sound

    private static func with(_ line: String) -> String { "GET /healthz HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n" }

    private static let names: [ConformanceCase] = [
        .refused("field-blank-before-colon", "9112 5.1", [400], with("X : y"), "no blanks between name and colon"),
        .refused("field-tab-before-colon", "9112 5.1", [400], with("X\t: y"), "no blanks between name and colon"),
        .refused("field-blank-in-name", "9110 5.1", [400], with("X Y: z"), "a name is a token"),
        .refused("field-no-colon", "9112 5", [400], with("no colon"), "a field line has a colon"),
        .refused("field-only-name", "9112 5", [400], with("X"), "a field line has a colon"),
        .refused("field-empty-name", "9110 5.1", [400], with(": y"), "a name is a token"),
        .refused("field-name-nul", "9110 5.1", [400], with("X\0: y"), "a name is a token"),
        .refused("field-name-control", "9110 5.1", [400], with("X\u{01}: y"), "a name is a token"),
        .refused("field-name-delete", "9110 5.1", [400], with("X\u{7F}: y"), "a name is a token"),
        .refused("field-name-octet-over-127", "9110 5.1", [400], with("X\u{E9}: y"), "a name is a token"),
        .refused("field-name-no-break-space", "9110 5.1", [400], with("X\u{A0}: y"), "a name is a token"),
        .refused("field-name-parenthesis", "9110 5.1", [400], with("X(y): z"), "a name is a token"),
        .refused("field-name-quote", "9110 5.1", [400], with("\"X\": y"), "a name is a token"),
        .refused("field-name-slash", "9110 5.1", [400], with("X/Y: z"), "a name is a token"),
        .refused("field-name-bracket", "9110 5.1", [400], with("X[0]: y"), "a name is a token"),
        .refused("field-name-at", "9110 5.1", [400], with("@X: y"), "a name is a token"),
        .refused("field-name-comma", "9110 5.1", [400], with("X,Y: z"), "a name is a token"),
        .refused("field-name-vertical-tab", "9110 5.1", [400], with("X\u{0B}: y"), "a name is a token"),
        .refused(
            "field-second-request-line", "9112 5", [400], with("GET /conformance/canary HTTP/1.1"),
            "a request line is no field"),
    ]

    private static let values: [ConformanceCase] = [
        .mayRefuse("field-value-nul", "9110 5.5", [400, 200], with("X: y\0z"), "NUL is refused or becomes a blank"),
        .mayRefuse(
            "field-value-nul-at-end", "9110 5.5", [400, 200], with("X: y\0"), "NUL is refused or becomes a blank"),
        .mayRefuse("field-value-cr", "9110 5.5", [400, 200], with("X: y\rz"), "CR is refused or becomes a blank"),
        .mayRefuse("field-value-cr-field", "9110 5.5", [400, 200], with("X: y\rInjected: z"), "CR ends no line"),
        .mayRefuse("field-value-cr-cr-lf", "9112 2.2", [400, 200], with("X: y\r"), "CR is refused or becomes a blank"),
        .mayRefuse("field-value-lf", "9112 2.2", [400, 200], with("X: y\nInjected: z"), "LF alone ends no line here"),
        .mayRefuse(
            "field-lf-end", "9112 2.2", [400, 200], "GET /healthz HTTP/1.1\r\nHost: h\n\r\n",
            "LF alone ends no line here"),
        .mayRefuse(
            "field-lf-empty-line", "9112 2.2", [400, 200], "GET /healthz HTTP/1.1\r\nHost: h\r\n\n",
            "LF alone ends no line here"),
        .refused(
            "field-cr-empty-line", "9112 2.2", [400], "GET /healthz HTTP/1.1\r\nHost: h\r\n\rX\r\n\r\n",
            "CR alone ends no head"),
        .mayRefuse(
            "field-value-control", "9110 5.5", [400, 200], with("X: y\u{01}z"), "control characters are invalid"),
        .mayRefuse(
            "field-value-delete", "9110 5.5", [400, 200], with("X: y\u{7F}z"), "control characters are invalid"),
        .mayRefuse("field-value-escape", "9110 5.5", [400, 200], with("X: \u{1B}[2J"), "would colour a log"),
        .mayRefuse(
            "field-value-vertical-tab", "9110 5.5", [400, 200], with("X: \u{0B}y"), "control characters are invalid"),
        .mayRefuse(
            "field-value-backspace", "9110 5.5", [400, 200], with("X: y\u{08}"), "control characters are invalid"),
    ]

    private static let folding: [ConformanceCase] = [
        .refused("field-fold-blank", "9112 5.2", [400], with("X: y\r\n z"), "folding is refused"),
        .refused("field-fold-tab", "9112 5.2", [400], with("X: y\r\n\tz"), "folding is refused"),
        .refused("field-fold-empty", "9112 5.2", [400], with("X: y\r\n "), "folding is refused"),
        .refused("field-fold-at-once", "9112 5.2", [400], with("X:\r\n y"), "folding is refused"),
        .refused(
            "field-fold-hides-length", "9112 5.2", [400], post("X: y| Content-Length: 7", Sample.body),
            "who unfolds sees no length, who does not sees one"),
        .refused(
            "field-fold-host", "9112 5.2", [400], "GET /healthz HTTP/1.1\r\nHost:\r\n h\r\n\r\n", "folding is refused"),
    ]

    private static let sound: [ConformanceCase] = [
        .served(
            "field-all-tchars", "9110 5.6.2", [200], with("!#$%&'*+-.^_`|~09azAZ: y"), "every token is a name",
            ending: .open),
        .served("field-empty-value", "9110 5.5", [200], with("X:"), "a value may be empty"),
        .served("field-blank-value", "9110 5.5", [200], with("X:   \t "), "a value may be empty"),
        .served("field-no-blank", "9112 5.1", [200], with("X:y"), "the blank is optional"),
        .served("field-tabs-around", "9110 5.6.3", [200], with("X:\ty\t"), "blanks around a value are no part of it"),
        .served("field-colons", "9110 5.5", [200], with("X: y: z :: 12:34"), "a value may hold colons"),
        .served("field-octets-over-127", "9110 5.5", [200], with("X: \u{80}\u{E9}\u{FF}"), "obs-text is allowed"),
        .served("field-utf8", "9110 5.5", [200], with("X: caf\u{C3}\u{A9}"), "obs-text is allowed"),
        .served("field-quoted", "9110 5.6.4", [200], with("X: \"a\\\"b, c\""), "a quoted string is a value"),
        .served(
            "field-name-case", "9110 5.1", [200], "GET /healthz HTTP/1.1\r\nhOsT: h\r\n\r\n", "names have no case"),
        .served("field-twice", "9110 5.3", [200], with("X: y\r\nX: z"), "lists may be spread over lines"),
        .served("field-underscore", "9110 5.6.2", [200], with("Content_Length: 7"), "another name than Content-Length"),
        .served("field-dash-missing", "9110 5.1", [200], with("ContentLength: 7"), "another name than Content-Length"),
    ]
}
