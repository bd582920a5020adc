import HTTPWire
import TextCoding

/// Input: a query string without its `?`.
enum QueryFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        try checkDecoding(input)
        guard let items = input.withUnsafeBytes({ QueryItems($0) }) else { return }
        let parts = input.split(separator: UInt8(ascii: "&"))
        try hold(items.items.count == parts.count, "a member lost or invented")
        for item in items.items {
            try hold(!(item.name + item.value).utf8.contains(0), "a NUL in a member")
            try hold(items[item.name] != nil, "a member that is not found by its name")
        }
        let written = items.items.map { encode($0.name) + [UInt8(ascii: "=")] + encode($0.value) }
        let joined = Array(written.joined(separator: [UInt8(ascii: "&")]))
        try hold(joined.withUnsafeBytes { QueryItems($0) } == items, "written again, it reads as something else")
    }

    private static func checkDecoding(_ input: [UInt8]) throws(BrokenPromise) {
        let decoded = PercentCoding.decode(input)
        let asForm = PercentCoding.decode(input, plusIsSpace: true)
        try hold((decoded == nil) == (asForm == nil), "decodable or not, depending on what + means")
        if let decoded, let asForm {
            try hold(decoded.utf8.count <= input.count, "decoding made it longer")
            try hold(PercentCoding.decode(encode(decoded)) == decoded, "encoded again, it decodes to something else")
            if !input.contains(UInt8(ascii: "+")) { try hold(decoded == asForm, "a blank without a +") }
        }
        let text = String(decoding: input, as: UTF8.self)
        let survives = PercentCoding.decode(encode(text)) == text
        try hold(survives || text.utf8.contains(0), "a text that does not survive encoding")
    }

    private static func encode(_ text: String) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return text.utf8.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
