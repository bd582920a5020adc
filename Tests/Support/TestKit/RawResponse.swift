/// One HTTP response as received, with only the framing of its body removed.
package struct RawResponse: Sendable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// How the end of the body was determined.
    package enum Framing: Sendable, Equatable {
        /// The status or the request's method forbids a body.
        case none
        case length(Int)
        /// The sizes of the chunks in order, without the last one of 0.
        case chunked([Int])
        case untilClose
    }

    /// `HTTP/1.1`
    package let version: String
    package let status: Int
    package let reason: String
    /// In the received order and spelling.
    package let fields: [Field]
    package let framing: Framing
    package let body: [UInt8]

    /// The body; octets that are not UTF-8 become U+FFFD.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of a field, ignoring the case of its name, or `nil`.
    package subscript(name: String) -> String? { values(of: name).first }

    /// Every value of a field in order.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// Whether the server announces that it closes the connection after this response.
    package var announcesClose: Bool { self["Connection"]?.lowercased() == "close" }
}
