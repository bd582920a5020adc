package import SubGuardDomain

/// The symbols of an image, as an operator has uploaded them.
package struct SymbolFile: Sendable, Hashable {
    let id: Int64
    /// Lower-case, with hyphens.
    package let debugID: String
    /// The image's.
    package let name: String
    package let architecture: String?
    /// `nm`, `atos` or `breakpad`.
    package let format: String
    let base: UInt64
    let hasUnderscores: Bool
    package let functionCount: Int64
    let partCount: Int64
    /// Uploaded, uncompressed.
    package let byteCount: Int64
    /// In the database.
    package let storedBytes: Int64
    package let uploadedAt: UTCInstant
    package let uploadedBy: String
}

/// Limits of what operators upload.
package struct SymbolLimits: Sendable, Hashable {
    package var files = 1000
    /// Of one file, uncompressed.
    package var fileBytes: Int64 = 512 << 20
    /// Of all files, as stored.
    package var storedBytes: Int64 = 1 << 30
    /// Estimated memory of the functions that are sorted at once.
    package var partBytes = 8 << 20

    package init() {}
}

/// The debug id of an image: the UUID that Apple's linker gives it, or what Breakpad makes of another build id.
package enum DebugID {
    /// Hexadecimal digits in either case, with or without hyphens; digits after the 32nd, which count how often an
    /// image was linked, are left out. Nil for any other text.
    package static func normalised(_ text: String) -> String? {
        var digits = text.lowercased().filter { $0 != "-" }
        guard (32...40).contains(digits.utf8.count), digits.utf8.allSatisfy(Octet.isHex) else { return nil }
        digits = String(digits.prefix(32))
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }
}
