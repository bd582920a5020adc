/// RFC 9112 sections 6.1 and 6.3: unless Transfer-Encoding is `chunked` once, the end of the message is ambiguous. Each
/// body is valid in one of the interpretations.
enum CodingCases {
    static let all = beside + codings + octetsOfValues + sound

    private static let chunked = Sample.chunked
    private static let length = Sample.chunked.utf8.count

    private static func coding(_ value: String) -> String { post("Transfer-Encoding:\(value)", chunked) }

    /// With a Content-Length that gives the same body.
    private static func beside(_ value: String) -> String {
        post("Content-Length: \(length)|Transfer-Encoding:\(value)", chunked)
    }

    private static let beside: [ConformanceCase] = [
        .refused("te-cl", "9112 6.3", [400, 202], beside(" chunked"), "refused, or the connection closes"),
        .refused(
            "te-cl-other-order", "9112 6.3", [400, 202],
            post("Transfer-Encoding: chunked|Content-Length: \(length)", chunked), "order means nothing"),
        .refused(
            "te-cl-zero", "9112 6.3", [400, 202], post("Content-Length: 0|Transfer-Encoding: chunked", chunked),
            "the chunks would be the next request"),
        .refused(
            "te-cl-short", "9112 6.3", [400, 202], post("Content-Length: 3|Transfer-Encoding: chunked", chunked),
            "the chunks would be the next request"),
        .refused(
            "te-cl-smuggled", "9112 6.3", [400, 202],
            post("Content-Length: \(5 + get().utf8.count)|Transfer-Encoding: chunked", "0\r\n\r\n" + get()),
            "what follows the last chunk is a request to one and a body to the other", ending: .closed),
        .refused("te-cl-identity", "9112 6.1", [400, 501], beside(" identity"), "no coding any more"),
        .refused("te-cl-unknown", "9112 6.1", [400, 501], beside(" xchunked"), "not chunked"),
        .refused("te-cl-empty", "9112 6.1", [400, 501], beside(""), "not chunked"),
        .refused("te-cl-not-chunked", "9112 6.3", [400, 501], beside(" gzip"), "the end cannot be known"),
        .refused(
            "te-cl-blank-before-colon", "9112 5.1", [400],
            post("Content-Length: \(length)|Transfer-Encoding : chunked", chunked), "who trims sees chunks"),
        .refused(
            "te-cl-tab-before-colon", "9112 5.1", [400],
            post("Content-Length: \(length)|Transfer-Encoding\t: chunked", chunked), "who trims sees chunks"),
        .mayRefuse(
            "te-cl-underscore", "9110 5.1", [400, 202],
            post("Content-Length: 7|Transfer_Encoding: chunked|X : y", Sample.body), "another name, and a bad line"),
        .refused(
            "te-cl-behind-fold", "9112 5.2", [400],
            post("Content-Length: \(length)|X: y| Transfer-Encoding: chunked", chunked),
            "who does not unfold sees chunks"),
        .refused(
            "te-cl-behind-cr", "9112 2.2", [400],
            post("Content-Length: \(length)|X: y\rTransfer-Encoding: chunked", chunked),
            "who splits at CR sees chunks"),
        .refused(
            "te-cl-behind-lf", "9112 2.2", [400, 202],
            post("Content-Length: \(length)|X: y\nTransfer-Encoding: chunked", chunked),
            "who splits at LF sees chunks"),
        .refused(
            "te-cl-behind-nul", "9110 5.5", [400],
            post("Content-Length: \(length)|X: y\0|Transfer-Encoding: chunked", chunked), "NUL must be refused"),
        .refused(
            "te-http10", "9112 6.1", [400, 202],
            "POST /api/v1/analytics HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n\(chunked)",
            "HTTP/1.0 knows no codings: refused, or the connection closes"),
        .refused(
            "te-http10-keep-alive", "9112 6.1", [400, 202],
            "POST /api/v1/analytics HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n\(chunked)",
            "HTTP/1.0 knows no codings: refused, or the connection closes"),
        .refused(
            "te-cl-http10", "9112 6.1", [400, 202],
            "POST /api/v1/analytics HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 7\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n\(chunked)",
            "HTTP/1.0 knows no codings: refused, or the connection closes"),
    ]

    private static let codings: [ConformanceCase] = [
        .refused("te-identity", "9112 6.1", [400, 501], coding(" identity"), "the end cannot be known"),
        .refused("te-gzip", "9112 6.3", [400, 501], coding(" gzip"), "the last coding is not chunked"),
        .refused("te-empty", "9112 6.1", [400, 501], coding(""), "no coding"),
        .refused("te-comma-only", "9112 6.1", [400, 501], coding(" ,"), "no coding"),
        .refused("te-gzip-chunked", "9112 6.1", [501, 400], coding(" gzip, chunked"), "a coding that is not known"),
        .refused(
            "te-deflate-chunked", "9112 6.1", [501, 400], coding(" deflate,chunked"), "a coding that is not known"),
        .refused("te-identity-chunked", "9112 6.1", [501, 400], coding(" identity, chunked"), "no coding any more"),
        .refused(
            "te-chunked-gzip", "9112 6.3", [400, 501], coding(" chunked, gzip"), "the last coding is not chunked"),
        .refused("te-chunked-identity", "9112 6.3", [400, 501], coding(" chunked, identity"), "not chunked last"),
        .refused("te-chunked-twice", "9112 6.1", [400, 501], coding(" chunked, chunked"), "chunked once only"),
        .refused(
            "te-two-lines-equal", "9112 6.1", [400, 501], coding(" chunked|Transfer-Encoding: chunked"),
            "chunked once only"),
        .refused(
            "te-two-lines-unknown", "9112 6.1", [400, 501], coding(" chunked|Transfer-Encoding: x"),
            "who picks the first?"),
        .refused(
            "te-two-lines-unknown-first", "9112 6.1", [400, 501], coding(" x|Transfer-Encoding: chunked"),
            "who picks the last?"),
        .refused(
            "te-two-lines-identity", "9112 6.1", [400, 501], coding(" identity|Transfer-Encoding: chunked"),
            "who picks the first?"),
        .refused(
            "te-two-lines-other-case", "9112 6.1", [400, 501], coding(" chunked|transfer-encoding: cow"),
            "names have no case"),
        .refused("te-parameter", "9112 6.1", [400, 501], coding(" chunked;x=y"), "chunked has no parameters"),
        .refused("te-weight", "9112 6.1", [400, 501], coding(" chunked;q=0"), "weights belong to TE"),
        .refused("te-prefix", "9112 6.1", [400, 501], coding(" chunke"), "not chunked"),
        .refused("te-longer", "9112 6.1", [400, 501], coding(" chunkedx"), "not chunked"),
        .refused("te-x-chunked", "9112 6.1", [400, 501], coding(" x-chunked"), "not chunked"),
        .refused("te-blank-inside", "9112 6.1", [400, 501], coding(" chun ked"), "not chunked"),
        .refused("te-word-behind", "9112 6.1", [400, 501], coding(" chunked x"), "not chunked"),
        .mayRefuse("te-comma-before", "9110 5.6.1", [400, 501, 202], coding(" , chunked"), "an empty member"),
        .mayRefuse("te-comma-behind", "9110 5.6.1", [400, 501, 202], coding(" chunked,"), "an empty member"),
    ]

    private static let octetsOfValues: [ConformanceCase] = [
        .refused("te-quoted", "9112 6.1", [400, 501], coding(" \"chunked\""), "a coding is a token"),
        .refused("te-single-quoted", "9112 6.1", [400, 501], coding(" 'chunked'"), "another token"),
        .refused("te-no-break-space", "9112 6.1", [400, 501], coding(" \u{A0}chunked"), "0xA0 is no blank"),
        .refused("te-next-line", "9112 6.1", [400, 501], coding(" chunked\u{85}"), "0x85 is no blank"),
        .refused(
            "te-vertical-tab", "9110 5.5", [400, 501], coding(" \u{0B}chunked"), "other white space is not stripped"),
        .refused(
            "te-form-feed", "9110 5.5", [400, 501], coding(" chunked\u{0C}"), "other white space is not stripped"),
        .refused("te-nul", "9110 5.5", [400, 501], coding(" chunked\0"), "NUL must be refused"),
        .refused("te-delete", "9110 5.5", [400, 501], coding(" chunked\u{7F}"), "control characters are invalid"),
        .refused(
            "te-kelvin", "9112 6.1", [400, 501], coding(" chun\u{E2}\u{84}\u{AA}ed"), "U+212A folds to k in Unicode"),
        .mayRefuse("te-cr", "9110 5.5", [400, 202], coding(" chunked\r"), "CR is refused or becomes a blank"),
        .refused("te-fold", "9112 5.2", [400], coding("| chunked"), "folding is refused"),
        .refused("te-blank-before-colon", "9112 5.1", [400], post("Transfer-Encoding : chunked", chunked), "no name"),
        .refused("te-nul-in-name", "9110 5.1", [400], post("Transfer-Encoding\0: chunked", chunked), "no name"),
        .refused(
            "te-blank-before-name", "9112 2.2", [400], post("X: y| Transfer-Encoding: chunked", chunked), "a fold"),
    ]

    private static let sound: [ConformanceCase] = [
        .served("te-chunked", "9112 7.1", [202], coding(" chunked"), "the usual case"),
        .served("te-upper-case", "9112 7", [202, 400, 501], coding(" CHUNKED"), "codings have no case"),
        .served(
            "te-blanks-around", "9110 5.6.3", [202], coding(" \t chunked \t"), "blanks around a value are no part of it"
        ),
        .served("te-no-blank", "9112 5.1", [202], coding("chunked"), "the blank is optional"),
        .served(
            "te-on-get", "9112 6.1", [200], get(Address.page, "Transfer-Encoding: chunked") + chunked,
            "a body of GET is read, whatever it means"),
        .served(
            "te-on-head", "9112 6.1", [200],
            "HEAD /healthz HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
            "a body of HEAD is read", method: "HEAD"),
        .served(
            "te-nowhere", "9112 6.1", [404],
            "POST /nowhere HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
            "the body of a 404 is read"),
        .served(
            "te-field-te", "9110 10.1.4", [200], get(Address.page, "TE: trailers, chunked;q=0.5", "Connection: TE"),
            "TE is another field"),
    ]
}
