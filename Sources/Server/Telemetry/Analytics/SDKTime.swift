import SubGuardDomain

/// Times as SDKs of others write them: RFC 3339, or that with a blank instead of `T`, an offset without its colon
/// (`+0000`), or no zone, which means UTC.
enum SDKTime {
    static func instant(_ text: String) -> UTCInstant? {
        if let instant = UTCInstant(rfc3339: text) { return instant }
        var text = text
        let blank = text.index(text.startIndex, offsetBy: 10, limitedBy: text.endIndex) ?? text.endIndex
        if blank < text.endIndex, text[blank] == " " { text.replaceSubrange(blank...blank, with: "T") }
        let offset = text.suffix(5)
        if offset.count == 5, offset.first == "+" || offset.first == "-", offset.dropFirst().allSatisfy(\.isNumber),
            // The end of `2026-11-20` looks alike.
            text.contains("T")
        {
            text.insert(":", at: text.index(text.endIndex, offsetBy: -2))
        }
        return UTCInstant(rfc3339: text) ?? UTCInstant(rfc3339: text + "Z")
    }
}
