/// RFC 9112 sections 6.2 and 6.3: unless Content-Length is one number of digits, the end of the message is ambiguous.
enum LengthCases {
    static let all = doubled + malformed + sound + limits

    private static let body = Sample.body

    private static func length(_ value: String) -> String { post("Content-Length:\(value)", body) }

    private static let doubled: [ConformanceCase] = [
        .mayRefuse(
            "cl-twice-equal", "9112 6.3", [400, 202], post("Content-Length: 7|Content-Length: 7", body),
            "a proxy on the way may have read only one"),
        .refused(
            "cl-twice", "9112 6.3", [400], post("Content-Length: 7|Content-Length: 0", body),
            "two programs may pick different ones"),
        .refused(
            "cl-twice-other-order", "9112 6.3", [400], post("Content-Length: 0|Content-Length: 7", body),
            "two programs may pick different ones"),
        .refused(
            "cl-twice-other-case", "9112 6.3", [400], post("content-length: 7|CONTENT-LENGTH: 8", body),
            "names have no case"),
        .refused(
            "cl-twice-apart", "9112 6.3", [400], post("Content-Length: 7|X: y|Content-Length: 6", body),
            "two programs may pick different ones"),
        .mayRefuse(
            "cl-list-equal", "9112 6.3", [400, 202], length(" 7, 7"), "a proxy on the way may have joined two lines"),
        .refused("cl-list", "9112 6.3", [400], length(" 7, 0"), "two programs may pick different ones"),
        .refused("cl-list-other-order", "9112 6.3", [400], length(" 0, 7"), "two programs may pick different ones"),
        .refused("cl-comma-behind", "9112 6.2", [400], length(" 7,"), "digits only"),
        .refused("cl-comma-before", "9112 6.2", [400], length(" ,7"), "digits only"),
        .refused(
            "cl-twice-on-get", "9112 6.3", [400], get(Address.page, "Content-Length: 0", "Content-Length: 1"),
            "a GET has a framing too"),
    ]

    private static let malformed: [ConformanceCase] = [
        .refused("cl-plus", "9112 6.2", [400], length(" +7"), "digits only (CVE-2023-47627)"),
        .refused("cl-minus", "9112 6.2", [400], length(" -7"), "digits only (CVE-2023-34188)"),
        .refused("cl-minus-zero", "9112 6.2", [400], length(" -0"), "digits only"),
        .refused("cl-hexadecimal", "9112 6.2", [400], length(" 0x7"), "digits only (CVE-2023-47627)"),
        .refused("cl-underscore", "9112 6.2", [400], length(" 0_7"), "digits only (CVE-2023-47627)"),
        .refused("cl-fraction", "9112 6.2", [400], length(" 7.0"), "digits only"),
        .refused("cl-exponent", "9112 6.2", [400], length(" 7e0"), "digits only"),
        .refused("cl-letters", "9112 6.2", [400], length(" seven"), "digits only"),
        .refused("cl-letter-behind", "9112 6.2", [400], length(" 7x"), "digits only"),
        .refused("cl-blank-inside", "9112 6.2", [400], length(" 7 0"), "digits only"),
        .refused("cl-tab-inside", "9112 6.2", [400], length(" 0\t7"), "digits only"),
        .refused("cl-quoted", "9112 6.2", [400], length(" \"7\""), "digits only"),
        .refused("cl-semicolon", "9112 6.2", [400], length(" 7;x"), "digits only"),
        .refused("cl-empty", "9112 6.2", [400], length(""), "digits are missing"),
        .refused("cl-empty-on-get", "9112 6.2", [400], get(Address.page, "Content-Length:"), "digits are missing"),
        .refused("cl-vertical-tab", "9112 6.2", [400], length(" 7\u{0B}"), "other white space is not stripped"),
        .refused("cl-form-feed", "9112 6.2", [400], length(" \u{0C}7"), "other white space is not stripped"),
        .refused("cl-no-break-space", "9112 6.2", [400], length(" \u{A0}7"), "0xA0 is no blank"),
        .refused("cl-arabic-digit", "9112 6.2", [400], length(" \u{D9}\u{A7}"), "ASCII digits only"),
        .refused("cl-nul", "9110 5.5", [400], length(" 7\0"), "NUL must be refused"),
        .refused("cl-blank-before-colon", "9112 5.1", [400], post("Content-Length : 7", body), "no name"),
        .refused("cl-nul-in-name", "9112 5.1", [400], post("Content-Length\0: 7", body), "no name"),
        .refused("cl-fold", "9112 5.2", [400], post("Content-Length: 0|  7", body), "folding is refused"),
        .refused("cl-fold-at-once", "9112 5.2", [400], post("Content-Length:| 7", body), "folding is refused"),
    ]

    private static let sound: [ConformanceCase] = [
        .served("cl-right", "9112 6.2", [202], post(), "the usual case"),
        .mayServe("cl-zeros-before", "9112 6.2", [202, 400], length(" 0007"), "leading zeros are digits"),
        .mayServe(
            "cl-many-zeros", "9112 6.2", [202, 400], length(" 00000000000000000000000000007"),
            "leading zeros do not overflow"),
        .served("cl-blanks-around", "9110 5.6.3", [202], length(" \t 7 \t"), "blanks around a value are no part of it"),
        .served("cl-no-blank", "9112 5.1", [202], length("7"), "the blank is optional"),
        .served("cl-name-case", "9110 5.1", [202], post("cONTENT-lENGTH: 7", body), "names have no case"),
        .served(
            "cl-zero-on-get", "9112 6.2", [200], get(Address.page, "Content-Length: 0"), "a body of no bytes"),
        .served(
            "cl-zero-on-post", "9112 6.2", [400, 202], post("Content-Length: 0", ""),
            "the canary is no body (0.CL)"),
        .served("cl-none-on-post", "9112 6.3", [400, 411, 202], post("X: y", ""), "without framing there is no body"),
        .served(
            "cl-body-on-get", "9110 9.3.1", [200], get(Address.page, "Content-Length: 7") + body,
            "a body of GET is read, whatever it means"),
        .served(
            "cl-body-on-head", "9110 9.3.2", [200],
            "HEAD /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n" + body, "a body of HEAD is read",
            method: "HEAD"),
        .served(
            "cl-body-like-request", "9112 6.3", [200],
            get(Address.page, "Content-Length: \(get().utf8.count)") + get(), "a body is no request"),
        .served(
            "cl-post-like-request", "9112 6.3", [400, 202],
            post("Content-Length: \(get().utf8.count)", get()), "a body is no request"),
        .served(
            "cl-nowhere-like-request", "9112 6.3", [404],
            get(Address.nowhere, "Content-Length: \(get().utf8.count)") + get(),
            "the body of a 404 is no request (0.CL)"),
        .served(
            "cl-100000", "9112 6.2", [202], post(body: Sample.array(bytes: 100_000)), "a body larger than one read"),
    ]

    private static let limits: [ConformanceCase] = [
        .served(
            "limit-body-exact", "9110 15.5.14", [202], post(body: Sample.array(bytes: 1 << 20)),
            "exactly the limit is taken"),
        .refused(
            "limit-body-announced", "9110 15.5.14", [413], post("Content-Length: 1048577", ""),
            "refused from the head alone",
            ending: .closedOrAnything),
        .refused(
            "limit-body-sent", "9110 15.5.14", [413], post(body: Sample.array(bytes: (1 << 20) + 1)),
            "the answer must reach a client that sends on"),
        .refused(
            "cl-32-bits", "9112 6.3", [413, 400], length(" 4294967303"), "2^32 + 7 cut to 32 bits is 7",
            ending: .closedOrAnything),
        .refused("cl-63-bits", "9112 6.3", [413, 400], length(" 9223372036854775808"), "2^63 is negative to some"),
        .refused(
            "cl-64-bits", "9112 6.3", [413, 400], length(" 18446744073709551623"), "2^64 + 7 cut to 64 bits is 7"),
        .refused("cl-200-digits", "9112 6.3", [413, 400], length(" " + times(200, "9")), "more than any number type"),
        .refused(
            "limit-body-nowhere", "9110 15.5.5", [404, 413], get(Address.nowhere, "Content-Length: 10000000"),
            "nothing is there, however large the body: it is not read",
            ending: .closedOrAnything),
        .refused(
            "limit-body-other-method", "9110 15.5.6", [405, 413],
            "PUT /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 10000000\r\n\r\n",
            "405 comes before 413: the body is not read",
            ending: .closedOrAnything),
        .refused(
            "limit-body-chunked-nowhere", "9110 15.5.5", [404, 413],
            "POST /nowhere HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1000000\r\n",
            "nothing is there, however large the chunk: it is not read",
            ending: .closedOrAnything),
    ]
}
