import Cryptography
package import SubGuardDomain
import TextCoding

/// A logo file named after the SHA-256 of its content, so a name always identifies the same content.
package struct LogoFile: Sendable, Hashable {
    /// 64 hexadecimal digits and a suffix, e.g. `….png`.
    package let name: String
    package let bytes: [UInt8]

    /// The path of its URL.
    package var path: String { Self.prefix + name }

    static let prefix = "/logos/"

    package init(_ image: ImageFile) { self.init(image.bytes, format: image.format) }

    package init(_ bytes: [UInt8], format: ImageFile.Format) {
        name = Hexadecimal.text(SHA256.hash(of: bytes)) + "." + format.suffix
        self.bytes = bytes
    }

    /// The content stored under a name; nil if it does not match the name.
    package init?(_ bytes: [UInt8], named name: String) {
        guard let format = Self.format(ofName: name) else { return nil }
        self.init(bytes, format: format)
        guard self.name == name else { return nil }
    }

    /// The format given by the suffix; nil for an invalid name.
    package static func format(ofName name: String) -> ImageFile.Format? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64,
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return ImageFile.Format.allCases.first { $0.suffix == parts[1] }
    }

    /// The file name in the path of an item's logo.
    package static func name(inPath path: String) -> String? {
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return format(ofName: name) == nil ? nil : name
    }
}
