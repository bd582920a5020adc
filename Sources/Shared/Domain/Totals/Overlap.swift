public import Foundation

/// Subscriptions that may be redundant, found on the device by comparing names and catalogue items.
public struct Overlap: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// The same catalogue item, or the same name apart from case, accents and punctuation.
        case duplicate
        /// Names with the same first word, such as `Spotify` and `Spotify Family`.
        case similar
    }

    public var kind: Kind
    /// Two or more, sorted by name.
    public var subscriptionIDs: [UUID]

    /// The part of a subscription that matters here.
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

    /// Words that do not identify a service.
    private static let commonWords: Set<String> = [
        "the", "my", "le", "la", "les", "mon", "ma", "abonnement", "subscription", "assurance", "insurance", "pro",
    ]

    /// Finds all groups. A subscription is in at most one group of each kind; duplicates are not reported again as similar.
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
