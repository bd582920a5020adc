import SubGuardDomain

/// The releases that the operator has published, as patterns. Without patterns, every release is known.
package struct KnownReleases: Sendable, Hashable {
    private let names: Set<String>
    private let prefixes: [String]

    /// Accepts every release.
    package static let all = KnownReleases([])

    /// A pattern is a release, or a prefix followed by `*`.
    package init(_ patterns: [String]) {
        names = Set(patterns.filter { !$0.hasSuffix("*") })
        prefixes = patterns.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
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
