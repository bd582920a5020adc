import HTTPServer
import HTTPWire

/// The `Link` field that leads to the next page of a list (RFC 8288), beside `next_cursor` in its body.
enum PageLink {
    /// Empty on the last page; else one field: the requested address with the new cursor.
    static func fields(_ request: Request, next cursor: String?) -> [(String, String)] {
        guard let cursor else { return [] }
        let kept = (try? request.queryItems())?.items.filter { $0.name != "cursor" } ?? []
        let query = (kept.map { ($0.name, $0.value) } + [("cursor", cursor)])
            .map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
        return [("Link", "<\(encoded(request.path, keeping: "/"))?\(query)>; rel=\"next\"")]
    }

    /// Encodes everything except RFC 3986's unreserved characters as `%XX`, so that no value can end the address or the
    /// field.
    private static func encoded(_ text: String, keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for octet in text.utf8 {
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(octet)
            case let octet where kept.utf8.contains(octet): bytes.append(octet)
            default: bytes += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
