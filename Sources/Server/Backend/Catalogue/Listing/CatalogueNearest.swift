package import Foundation
package import SubGuardDomain

/// The item that a suggested name probably means.
package struct CatalogueNearest: Sendable, Hashable {
    package let id: UUID
    package let name: String
    /// 100: the same name, case, accents and blanks aside; less the more letters differ.
    package let score: Int

    /// Names under this are not worth proposing.
    private static let leastScore = 50

    /// What the search finds for the name, or, where that is nothing, for its first word, judged letter by letter. Nil
    /// when nothing resembles it.
    package static func find(
        _ name: String, in matcher: CatalogueMatcher, item: (UUID) -> CatalogueItem?
    ) -> CatalogueNearest? {
        var matches = matcher.search(name, limit: 10)
        if matches.isEmpty, let word = TextFolding.fold(name).split(separator: " ").first {
            matches = matcher.search(String(word), limit: 10)
        }
        var best: CatalogueNearest?
        for match in matches {
            guard let item = item(match.id) else { continue }
            let score = ([item.name] + item.aliases).map { CatalogueDuplicates.resemblance($0, name) }.max() ?? 0
            if score >= leastScore, score > best?.score ?? 0 {
                best = CatalogueNearest(id: item.id, name: item.name, score: score)
            }
        }
        return best
    }
}
