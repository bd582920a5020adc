public import Foundation

/// Subscriptions that look as if one of them were one too many. Found on the device, by rules alone.
public struct Overlap: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// The same item of the catalogue, or the same name but for case, accents and punctuation.
        case duplicate
        /// Names that begin with the same word, such as `Spotify` and `Spotify Family`.
        case similar
    }

    public var kind: Kind
    /// By name, two or more.
    public var subscriptionIDs: [UUID]

    /// What one needs to know of a subscription.
    public struct Candidate: Sendable {
        public var id: UUID
        public var name: String
        public var catalogueItemID: UUID?

        public init(id: UUID, name: String, catalogueItemID: UUID?) {
            self.id = id
            self.name = name
            self.catalogueItemID = catalogueItemID
        }
    }

    /// Words that say nothing about which service it is.
    private static let commonWords: Set<String> = [
        "the", "my", "le", "la", "les", "mon", "ma", "abonnement", "subscription", "assurance", "insurance", "pro",
    ]

    /// Every group among charged subscriptions. A subscription stands in at most one group of each kind, and two that
    /// are duplicates are not named again as similar.
    public static func find(among candidates: [Candidate]) -> [Overlap] {
        let sorted = candidates.sorted { ($0.name, $0.id.lowercased) < ($1.name, $1.id.lowercased) }
        var byName: [String: [Candidate]] = [:]
        var byFirstWord: [String: [Candidate]] = [:]
        for candidate in sorted {
            let folded = TextFolding.fold(candidate.name)
            byName[candidate.catalogueItemID?.lowercased ?? folded, default: []].append(candidate)
            if let word = folded.split(separator: " ").first, word.count >= 4, !commonWords.contains(String(word)) {
                byFirstWord[String(word), default: []].append(candidate)
            }
        }
        let duplicates = byName.values.filter { $0.count > 1 }
        let known = Set(duplicates.flatMap { $0.map(\.id) })
        let similar = byFirstWord.values.filter { group in
            group.count > 1 && !group.allSatisfy { known.contains($0.id) }
        }
        let overlaps =
            duplicates.map { Overlap(kind: .duplicate, subscriptionIDs: $0.map(\.id)) }
            + similar.map { Overlap(kind: .similar, subscriptionIDs: $0.map(\.id)) }
        return overlaps.sorted {
            ($0.kind.rawValue, $0.subscriptionIDs[0].lowercased) < ($1.kind.rawValue, $1.subscriptionIDs[0].lowercased)
        }
    }
}
