import SubGuardDomain

/// The releases that the operator has published, as patterns. Without patterns, every release is known.
package struct KnownReleases: Sendable, Hashable {
    private let names: Set<String>
    private let prefixes: [String]
    /// Patterns of their versions: what stands between `@` and `+` of a release.
    private let versions: Set<String>

    /// Accepts every release.
    package static let all = KnownReleases([])

    /// A pattern is a release, or a prefix followed by `*`.
    package init(_ patterns: [String]) {
        names = Set(patterns.filter { !$0.hasSuffix("*") })
        prefixes = patterns.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
        versions = Set(patterns.map(Self.version))
    }

    private static func version(of pattern: String) -> String {
        let parts = pattern.split(separator: "@", omittingEmptySubsequences: false)
        let version = parts.last ?? ""
        guard version.hasSuffix("*") else { return String(version.prefix { $0 != "+" }) }
        // The beginning of an app's name stands for all of its versions.
        return parts.count == 1 && version.first?.isNumber == false ? "*" : String(version)
    }

    /// Whether a release has this version, such as `1.4.0` for `app@1.4.0+7`.
    package func containsVersion(_ version: String) -> Bool {
        versions.isEmpty || versions.contains { $0.hasSuffix("*") ? version.hasPrefix($0.dropLast()) : version == $0 }
    }

    package func contains(_ release: String) -> Bool {
        (names.isEmpty && prefixes.isEmpty) || names.contains(release) || prefixes.contains { release.hasPrefix($0) }
    }

    /// Whether a text is a pattern: 1 to 96 bytes of a release name, with `*` only at the end.
    package static func isPattern(_ text: String) -> Bool {
        let name = text.hasSuffix("*") ? text.dropLast() : text[...]
        return (1...96).contains(text.utf8.count)
            && name.utf8.allSatisfy { Octet.isToken($0) || Octet.isOneOf($0, ".+/ ()@") }
    }
}
