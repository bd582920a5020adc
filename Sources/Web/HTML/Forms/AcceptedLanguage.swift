/// The language that a browser prefers.
package enum AcceptedLanguage {
    /// The tag with the highest weight in an `Accept-Language` field (RFC 9110 section 12.5.4), regions aside; of equal
    /// ones the first. Nil if the field names none of them. Reads the first 16 ranges in the first 1,000 bytes.
    ///
    /// - Parameter tags: primary language tags in lower case, such as `fr`.
    package static func preferred(_ field: String?, of tags: [String]) -> String? {
        var best: (tag: String, weight: Double)?
        // Ranges are ASCII (RFC 4647). Letters beyond it cost much more to compare.
        let octets = (field ?? "").utf8.prefix(1000).map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
        for range in String(decoding: octets, as: UTF8.self).split(separator: ",").prefix(16) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = parts.first?.split(separator: "-").first.map(String.init), tags.contains(tag) else {
                continue
            }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > best?.weight ?? 0 { best = (tag, weight) }
        }
        return best?.tag
    }
}
