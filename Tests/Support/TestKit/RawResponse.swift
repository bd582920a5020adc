/// One HTTP response as it came over the wire. Nothing in it has been undone but the framing of its body.
package struct RawResponse: Sendable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// How the end of the body was found.
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
    /// In the order of the wire, names spelled as they came.
    package let fields: [Field]
    package let framing: Framing
    package let body: [UInt8]

    /// The body; octets that are not UTF-8 become U+FFFD.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of a field whose name is compared without case, or `nil`.
    package subscript(name: String) -> String? { values(of: name).first }

    /// Every value of a field in order.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The server has said that it closes the connection after this response.
    package var announcesClose: Bool { self["Connection"]?.lowercased() == "close" }
}
