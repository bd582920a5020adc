import HTTPServer
import ZlibCoding

/// A request as bytes, with the parts common to all tests.
struct HTTPCall {
    var method: String
    var target: String
    /// Field lines without line ends.
    var fields: [String]
    var body: [UInt8]?
    /// Whether a body without a `Content-Type` line is sent as `application/json`.
    var declaresJSON = true

    init(_ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    init(_ method: String, _ target: String, _ fields: [String] = [], json: String?) {
        self.init(method, target, fields, body: json.map { Array($0.utf8) })
    }

    static func get(_ target: String, _ fields: String...) -> HTTPCall { HTTPCall("GET", target, fields) }

    /// The same request with the body in one of the codings.
    func coded(as coding: String, _ code: ([UInt8]) throws -> [UInt8]?) rethrows -> HTTPCall {
        var coded = self
        coded.fields.append("Content-Encoding: \(coding)")
        coded.body = try code(body ?? [])
        return coded
    }

    func gzipped() -> HTTPCall { coded(as: "gzip") { Gzip.compress($0) } }

    var bytes: [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: h"] + fields
        if let body {
            lines.append("Content-Length: \(body.count)")
            if declaresJSON, !fields.contains(where: { $0.lowercased().hasPrefix("content-type:") }) {
                lines.append("Content-Type: application/json")
            }
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }
}

/// Stored deflate blocks in a zlib wrapper (RFC 1950), implemented independently of the server's code.
enum StoredDeflate {
    static func zlib(_ bytes: [UInt8]) -> [UInt8] { [0x78, 0x01] + raw(bytes) + bigEndian(adler32(bytes)) }

    /// Without the wrapper, as some clients send it.
    static func raw(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        let sizes = [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return [0x01] + sizes + bytes
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
