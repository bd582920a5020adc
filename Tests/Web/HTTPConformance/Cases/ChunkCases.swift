/// RFC 9112 section 7.1: valid chunked bodies in every notation.
enum ChunkCases {
    static let all: [ConformanceCase] = [
        .served(
            "chunk-two", "9112 7.1", [202], chunkedPost("3\r\n[12\r\n4\r\n.34]\r\n0\r\n\r\n"), "two chunks are one body"
        ),
        .served(
            "chunk-of-one", "9112 7.1", [202],
            chunkedPost("[12.34]".map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"), "as small as chunks get"),
        .served(
            "chunk-lower-case", "9112 7.1", [202], chunkedPost("a\r\n[12.34   ]\r\n0\r\n\r\n"), "hexadecimal"),
        .served(
            "chunk-upper-case", "9112 7.1", [202], chunkedPost("A\r\n[12.34   ]\r\n0\r\n\r\n"), "digits have no case"),
        .served(
            "chunk-two-digits", "9112 7.1", [202], chunkedPost("1b\r\n\(Sample.array(bytes: 27))\r\n0\r\n\r\n"),
            "hexadecimal"),
        .mayServe(
            "chunk-zeros-before", "9112 7.1", [202, 400], chunkedPost("0007\r\n[12.34]\r\n0\r\n\r\n"),
            "zeros are digits"),
        .mayServe("chunk-zeros-last", "9112 7.1", [202, 400], chunkedPost("7\r\n[12.34]\r\n000\r\n\r\n"), "1*\"0\""),
        .served(
            "chunk-extension", "9112 7.1.1", [202], chunkedPost("7;x\r\n[12.34]\r\n0\r\n\r\n"),
            "unknown extensions are ignored"),
        .served(
            "chunk-extension-value", "9112 7.1.1", [202], chunkedPost("7;x=y;z=1\r\n[12.34]\r\n0;last\r\n\r\n"),
            "unknown extensions are ignored"),
        .served(
            "chunk-extension-quoted", "9112 7.1.1", [202], chunkedPost("7;x=\"y;z\"\r\n[12.34]\r\n0\r\n\r\n"),
            "unknown extensions are ignored"),
        .mayServe(
            "chunk-extension-blanks", "9112 7.1.1", [202, 400], chunkedPost("7 ; x = y\r\n[12.34]\r\n0\r\n\r\n"),
            "blanks are bad there, and to be taken"),
        .served(
            "chunk-crlf-inside", "9112 7.1", [202], chunkedPost("9\r\n[\r\n12.34]\r\n0\r\n\r\n"), "CRLF may be data"),
        .served(
            "chunk-like-end", "9112 7.1", [202], chunkedPost("7\r\n[0\r\n\r\n]\r\n0\r\n\r\n"),
            "data may look like an end"),
        .served("chunk-empty-body", "9112 7.1", [400, 202], chunkedPost("0\r\n\r\n"), "a body of no bytes"),
        .served(
            "chunk-1000", "9112 7.1", [202],
            chunkedPost("1\r\n[\r\n" + times(998, "1\r\n \r\n") + "2\r\n1]\r\n0\r\n\r\n"), "many small chunks"),
        .served(
            "chunk-large", "9112 7.1", [202],
            chunkedPost("186a0\r\n\(Sample.array(bytes: 100_000))\r\n0\r\n\r\n"), "a chunk larger than one read"),
        .served(
            "limit-chunk-exact", "9110 15.5.14", [202],
            chunkedPost("100000\r\n\(Sample.array(bytes: 1 << 20))\r\n0\r\n\r\n"), "exactly the limit is taken"),
        .refused(
            "limit-chunk-sent", "9110 15.5.14", [413],
            chunkedPost("100001\r\n\(Sample.array(bytes: (1 << 20) + 1))\r\n0\r\n\r\n"),
            "without a length the bytes are counted (CVE-2025-46728)"),
        .refused(
            "limit-chunks-sent", "9110 15.5.14", [413],
            chunkedPost(times(17, "10000\r\n\(times(65_536, " "))\r\n") + "0\r\n\r\n"),
            "the limit is that of all chunks together"),
        .refused(
            "limit-chunk-announced", "9110 15.5.14", [413, 400], chunkedPost("100001\r\n["),
            "refused from the size alone"),
        .refused(
            "limit-second-chunk-announced", "9110 15.5.14", [413, 400], chunkedPost("7\r\n[12.34]\r\nffffa\r\n["),
            "what came before counts as well"),
    ]
}
