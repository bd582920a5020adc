import Foundation

/// What opens a sealed backup.
public struct Passphrase: Sendable, Hashable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    public var isEmpty: Bool { bytes.isEmpty }

    /// What somebody typed: the same letters are the same passphrase in whichever normal form a keyboard sends them.
    public init(_ text: String) { bytes = Array(text.precomposedStringWithCanonicalMapping.utf8) }

    public init(stringLiteral text: String) { self.init(text) }

    /// The bytes of a file as they are, in whatever encoding and with blank lines, but without one line end (LF or CR LF)
    /// at the end, which editors put there.
    public init(fileContent: [UInt8]) {
        var bytes = fileContent[...]
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        self.bytes = Array(bytes)
    }
}
