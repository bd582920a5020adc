/// Known violations of cases by nginx 1.22, found by running the table. Any other is unexpected. docs/architecture.md
/// explains our choices.
package enum NginxDifferences {
    /// The behaviour of nginx, by id of the case.
    package static let reasons: [String: String] = Dictionary(
        uniqueKeysWithValues: groups.flatMap { what, ids in ids.map { ($0, what) } })

    private static let groups: [(String, [String])] = [
        (
            "a request without version is served as HTTP/0.9",
            ["line-http09", "line-http09-with-fields", "line-no-version"]
        ),
        ("a minor version may have several digits", ["version-two-digit-minor", "version-zero-before-minor"]),
        (
            "405 names no methods, and files have no OPTIONS",
            [
                "method-post-on-page", "method-delete-on-page", "method-patch-on-page", "method-put-with-body",
                "method-options-page", "response-allow-get", "response-no-body-on-options",
            ]
        ),
        ("the asterisk form is not known", ["target-options-asterisk", "pipelined-options"]),
        ("an absolute target may have any scheme", ["target-other-scheme"]),
        ("a fragment is dropped", ["target-fragment", "target-empty-fragment"]),
        (
            "names may hold what no token holds, and a line without colon is dropped",
            [
                "field-only-name", "field-name-octet-over-127", "field-name-no-break-space", "field-name-parenthesis",
                "field-name-quote", "field-name-slash", "field-name-bracket", "field-name-at", "field-name-comma",
            ]
        ),
        (
            "little of a host is checked",
            [
                "host-query", "host-fragment", "host-user", "host-backslash", "host-less-than", "host-brace",
                "host-port-letters", "host-port-negative", "host-two-ports", "host-bracket-open", "host-bracket-empty",
                "host-bracket-letters", "host-bracket-behind", "host-bracket-two-gaps", "host-bracket-long-group",
                "host-bracket-nine-groups",
            ]
        ),
        ("a tab is no blank around a value", ["host-blanks-around", "cl-blanks-around", "te-blanks-around"]),
        (
            "what follows a chunk's size is skipped unread",
            ["chunk-size-blank-inside", "chunk-size-two-numbers", "chunk-ext-lf", "chunk-ext-nul"]
        ),
        (
            "trailers are skipped unread and without limit",
            [
                "trailer-blank-before-colon", "trailer-no-colon", "trailer-empty-name", "trailer-fold", "trailer-nul",
                "trailer-request", "trailer-endless",
            ]
        ),
    ]
}
