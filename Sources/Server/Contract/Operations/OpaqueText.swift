import Foundation

/// Tokens and cursors as clients carry them: base64url, nothing to read or build.
package enum OpaqueText {
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Only what ``encode(_:)`` makes is accepted, so that one place has one text.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.count <= 512 else { return nil }
        let padded =
            text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), encode(Array(data)) == text else { return nil }
        return Array(data)
    }
}
