package import HTTPWire
import TextCoding

/// A cookie with the path `/` that pages on other ports of the host can set too, with other paths: cookies belong to a
/// host with all its ports. A request then has several of one name.
package struct HostCookie: Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }

    /// All values in a request, which the size of its head bounds.
    package func values(_ head: RequestHead) -> [String] {
        // By octets: cookies of others may have any letters, which cost much more to compare.
        head.values(of: .cookie).flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            let trimmed = pair.drop { $0 == UInt8(ascii: " ") }
            guard let mark = trimmed.firstIndex(of: UInt8(ascii: "=")), trimmed[..<mark].elementsEqual(name.utf8) else {
                return nil
            }
            return String(Substring(trimmed[trimmed.index(after: mark)...]))
        }
    }

    /// The other paths that the further cookies of a request may have: those of its path and of the folders above.
    /// Empty for a request with one cookie of the name, which has the path `/`.
    package func strayPaths(_ head: RequestHead) -> [String] {
        guard values(head).count > 1 else { return [] }
        var paths: [String] = []
        var path = ""
        for byte in head.withPath({ Array($0) }).prefix(Self.longestPath) {
            guard PercentCoding.isUnreserved(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") else {
                break
            }
            if byte == UInt8(ascii: "/"), !path.isEmpty { paths += [path, path + "/"] }
            path.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return (paths + [path]).filter { $0 != "/" && !$0.isEmpty }
    }

    private static let longestPath = 200
}
