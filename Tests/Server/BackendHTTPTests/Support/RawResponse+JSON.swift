import JSONWire
import TestKit
import Testing
import ZlibCoding

extension RawResponse {
    /// The decoded body.
    func decodedBody() throws -> [UInt8] {
        guard let coding = self["Content-Encoding"] else { return body }
        try #require(coding == "gzip")
        return try Inflater.inflate(body, maximumBytes: 1 << 24)
    }

    func json() throws -> JSONValue {
        let type = try #require(self["Content-Type"])
        try #require(["application/json", "application/problem+json"].contains(type), "\(type)")
        return try JSONValue.parse(try decodedBody())
    }

    /// The elements of `items`.
    func items() throws -> [JSONValue] { try #require(try json()["items"]?.arrayValue) }

    func etag() throws -> String { try #require(self["ETag"]) }
}

extension JSONValue {
    /// The number as written in the text.
    var numberText: String? {
        if case .number(let text) = self { text } else { nil }
    }
}

extension Array where Element == JSONValue {
    /// One string member of each element.
    func strings(_ name: String) -> [String] { compactMap { $0[name]?.stringValue } }
}

/// Expects the text to contain all of the first parts and none of the second.
func expect(
    _ text: String, contains present: [String] = [], lacks absent: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for part in present {
        #expect(text.contains(part), "\(part) is missing in \(text)", sourceLocation: sourceLocation)
    }
    for part in absent { #expect(!text.contains(part), "\(part) is in \(text)", sourceLocation: sourceLocation) }
}
