import CDemangle
import Foundation

/// Names of functions as people write them.
package enum SymbolName {
    /// Longer mangled names stay as they are: the time and stack that demangling takes grow with them.
    private static let longestMangled = 1024
    /// Names that may grow more stay as they are, too; see ``MangledName``.
    private static let mostDoublings = 10
    private static let longestReadable = 1000

    /// A mangled name of Swift or C++ in readable form; any other as it is. At most 1,000 characters.
    ///
    /// - Parameter hasUnderscore: whether it has the underscore that Mach-O puts before the names of all languages.
    package static func readable(_ name: String, hasUnderscore: Bool) -> String {
        let bare = hasUnderscore && name.hasPrefix("_") ? String(name.dropFirst()) : name
        let full = bare.utf8.count <= longestMangled ? demangled(bare) ?? bare : bare
        return String(full.unicodeScalars.prefix(longestReadable).map { $0.value < 0x20 ? " " : Character($0) })
    }

    static func demangled(_ name: String) -> String? {
        if ["$s", "$S", "_$s", "_$S"].contains(where: { name.hasPrefix($0) }) {
            guard MangledName.doublings(ofSwift: name) <= mostDoublings else { return nil }
            return read(swift_demangle(name, name.utf8.count, nil, nil, 0))
        }
        guard name.hasPrefix("_Z"), MangledName.doublings(ofNative: name) <= mostDoublings else { return nil }
        var status: CInt = 0
        let text = read(__cxa_demangle(name, nil, nil, &status))
        return status == 0 ? text : nil
    }

    private static func read(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
