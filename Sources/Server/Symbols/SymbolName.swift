import Foundation

/// Names of functions as people write them.
package enum SymbolName {
    /// Longer mangled names stay as they are.
    private static let longestMangled = 1024
    private static let longestReadable = 1000

    /// A mangled name of Swift or C++ in readable form; any other as it is. At most 1,000 characters.
    ///
    /// - Parameters:
    ///   - hasUnderscore: whether it has the underscore that Mach-O puts before the names of all languages.
    ///   - demangler: default: one for the whole process.
    package static func readable(
        _ name: String, hasUnderscore: Bool, by demangler: Demangler = .shared
    ) -> String {
        let bare = hasUnderscore && name.hasPrefix("_") ? String(name.dropFirst()) : name
        let isMangled = ["$s", "$S", "_$s", "_$S", "_Z"].contains { bare.hasPrefix($0) }
        let full = isMangled && bare.utf8.count <= longestMangled ? demangler.demangled(bare) ?? bare : bare
        return String(full.unicodeScalars.prefix(longestReadable).map { $0.value < 0x20 ? " " : Character($0) })
    }
}
