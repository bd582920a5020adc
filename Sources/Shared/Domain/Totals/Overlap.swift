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

    /// Finds all groups. A subscription is in one group at most: look-alikes of a duplicate belong to its group, which is then
    /// one of similar subscriptions.
    public static func find(among candidates: [Candidate]) -> [Overlap] {
        let sorted = candidates.sorted { ($0.name, $0.id.lowercased) < ($1.name, $1.id.lowercased) }
        var same = Clusters(count: sorted.count)
        var alike = Clusters(count: sorted.count)
        var firsts: [String: Int] = [:]
        for (index, candidate) in sorted.enumerated() {
            let folded = TextFolding.fold(candidate.name)
            var keys = [("name " + folded, true)]
            if let item = candidate.catalogueItemID { keys.append(("item " + item.lowercased, true)) }
            if let word = folded.split(separator: " ").first, word.count >= 4, !commonWords.contains(String(word)) {
                keys.append(("word " + word, false))
            }
            for (key, isSame) in keys {
                guard let first = firsts[key] else {
                    firsts[key] = index
                    continue
                }
                if isSame { same.join(first, index) }
                alike.join(first, index)
            }
        }
        let groups = Dictionary(grouping: sorted.indices) { alike.first(of: $0) }.values.filter { $0.count > 1 }
        let overlaps = groups.map { group in
            let isOne = Set(group.map { same.first(of: $0) }).count == 1
            return Overlap(kind: isOne ? .duplicate : .similar, subscriptionIDs: group.map { sorted[$0].id })
        }
        return overlaps.sorted {
            ($0.kind.rawValue, $0.subscriptionIDs[0].lowercased) < ($1.kind.rawValue, $1.subscriptionIDs[0].lowercased)
        }
    }

    /// Numbers from 0 joined into groups.
    private struct Clusters {
        private var parents: [Int]

        init(count: Int) { parents = Array(0..<count) }

        mutating func first(of index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }

        mutating func join(_ left: Int, _ right: Int) {
            let (left, right) = (first(of: left), first(of: right))
            parents[max(left, right)] = min(left, right)
        }
    }
}
