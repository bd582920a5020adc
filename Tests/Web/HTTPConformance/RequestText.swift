/// The paths that every tested server has, and texts of requests for them.
enum Address {
    /// GET returns 200 with a body.
    static let page = "/healthz"
    /// GET returns 200, and 304 for `If-None-Match: *`.
    static let document = "/api/v1/catalogue"
    /// POST returns 202 for ``Sample/body``, 400 for anything but a JSON array, and accepts 1 MiB.
    static let form = "/api/v1/analytics"
    /// GET returns 404.
    static let nowhere = "/nowhere"
}

/// A body that is valid only if it is read exactly to its last byte.
enum Sample {
    static let body = "[12.34]"
    static let chunked = "7\r\n[12.34]\r\n0\r\n\r\n"
    /// A JSON array of this many bytes, at least 3.
    static func array(bytes: Int) -> String { "[" + String(repeating: " ", count: bytes - 3) + "1]" }
}

/// A GET with further field lines.
func get(_ target: String = Address.page, _ fields: String...) -> String {
    "GET \(target) HTTP/1.1\r\nHost: h\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
}

/// A request without fields except Host.
func request(_ method: String, _ target: String = Address.page) -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: h\r\n\r\n"
}

/// A POST framed by `fields`, in which `|` stands for CRLF.
func post(_ fields: String, _ body: String) -> String {
    "POST \(Address.form) HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        + fields.replacing("|", with: "\r\n") + "\r\n\r\n" + body
}

/// A POST with a correct Content-Length.
func post(body: String = Sample.body) -> String { post("Content-Length: \(body.utf8.count)", body) }

/// A POST in the chunked coding.
func chunkedPost(_ body: String) -> String { post("Transfer-Encoding: chunked", body) }

func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

/// One octet for each scalar, so that `\u{A0}` is the octet 0xA0.
func octets(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
