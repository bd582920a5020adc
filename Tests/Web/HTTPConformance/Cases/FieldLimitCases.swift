/// RFC 6585 section 5 and RFC 9110 section 5.4: heads that grow without limit (CVE-2026-28980).
enum FieldLimitCases {
    static let all: [ConformanceCase] = [
        .served(
            "limit-100-fields", "9110 5.4", [200, 431], get(Address.page, times(98, "X: y\r\n") + "X: z"),
            "a hundred fields are taken"),
        .mayRefuse(
            "limit-101-fields", "6585 5", [431, 400, 200], get(Address.page, times(99, "X: y\r\n") + "X: z"),
            "one more is not"),
        .refused(
            "limit-5000-fields", "6585 5", [431, 400], get(Address.page, times(4999, "X-Y: 12.34\r\n") + "X: z"),
            "a table of fields must not grow without end"),
        .served(
            "limit-value-7000", "9110 5.4", [200, 431], get(Address.page, "X: " + times(7000, "a")),
            "a long cookie is taken"),
        .refused(
            "limit-value-40000", "6585 5", [431, 400], get(Address.page, "X: " + times(40_000, "a")), "a field too long"
        ),
        .refused(
            "limit-name-40000", "6585 5", [431, 400], get(Address.page, times(40_000, "a") + ": y"), "a name too long"),
        .refused(
            "limit-value-endless", "6585 5", [431, 400],
            "GET /healthz HTTP/1.1\r\nHost: h\r\nX: " + times(100_000, "a"), "a line that never ends is not collected"),
        .refused(
            "limit-name-endless", "6585 5", [431, 400], "GET /healthz HTTP/1.1\r\nHost: h\r\n" + times(100_000, "a"),
            "a line that never ends is not collected"),
        .refused(
            "limit-fields-endless", "6585 5", [431, 400],
            "GET /healthz HTTP/1.1\r\nHost: h\r\n" + times(8000, "X-Field: 12.34\r\n"),
            "a head that never ends is not collected"),
        .refused(
            "limit-all-fields", "6585 5", [431, 400],
            get(Address.page, times(59, "X: \(times(800, "a"))\r\n") + "X: z"), "48 KB of fields of an allowed length"),
        .served(
            "limit-blanks-around", "9110 5.6.3", [200, 400, 431], get(Address.page, "X:" + times(3000, " ") + "y"),
            "blanks count like other octets"),
    ]
}
