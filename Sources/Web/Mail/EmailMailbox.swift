import Foundation

/// An RFC 5322 address in the usual forms: `alerts@example.org` or `SubGuard <alerts@example.org>`.
package struct EmailMailbox: Sendable, Hashable {
    package let address: String
    package let name: String?

    /// Nil unless it is a single ASCII address; quoted local parts and address literals are not supported.
    package init?(_ text: String) {
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
        var address = text.trimmingCharacters(in: .whitespaces)
        var name: String?
        if address.hasSuffix(">"), let open = address.lastIndex(of: "<") {
            name = String(address[..<open]).trimmingCharacters(in: .whitespaces)
            address = String(address[address.index(after: open)...].dropLast())
        }
        guard Self.isAddress(address) else { return nil }
        self.address = address
        self.name = name?.isEmpty == false ? name : nil
    }

    package var domain: String { String(address.split(separator: "@").last ?? "localhost") }

    /// The value of a header field; a name that is not plain ASCII is encoded as in RFC 2047.
    var headerValue: String {
        guard let name else { return address }
        let isPlain = name.utf8.allSatisfy { byte in
            byte == 0x20 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard isPlain, name.utf8.count <= 600 else { return "\(Self.encodedWords(name))\r\n <\(address)>" }
        return "\(name) <\(address)>"
    }

    /// Words of at most 64 characters, so that a line with one has at most 76 with the name of the field; no character
    /// is split between two of them.
    static func encodedWords(_ text: String) -> String {
        var chunks: [[UInt8]] = [[]]
        for character in text.unicodeScalars {
            let bytes = Array(String(character).utf8)
            if chunks[chunks.count - 1].count + bytes.count > 39 { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// Whether both sides are dot-atoms as in RFC 5321 section 4.1.2.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), text.utf8.count <= 254 else { return false }
        let atoms = parts.flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
        return atoms.allSatisfy { atom in
            !atom.isEmpty
                && atom.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
                }
        }
    }
}
