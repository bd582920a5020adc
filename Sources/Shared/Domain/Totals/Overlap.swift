public import Foundation

/// Subscriptions that may be redundant, found on the device by comparing names and catalogue items.
public struct Overlap: Sendable, Hashable {
    /// Why the subscriptions may be redundant.
    public enum Kind: String, Sendable, Hashable {
        /// The same catalogue item, or the same name apart from case, accents and punctuation.
        case duplicate
        /// Names with the same first word, such as `Spotify` and `Spotify Family`.
        case similar
    }

    /// Whether all of them are the same, or some only similar.
    public var kind: Kind
    /// Two or more, sorted by name.
    public var subscriptionIDs: [UUID]

    /// The part of a subscription that matters here.
    public struct Candidate: Sendable {
        /// The id of the subscription.
        public var id: UUID
        /// The name of the subscription, by which the members of a group are sorted.
        public var name: String
        /// The result of `TextFolding`.
        public var foldedName: String
        /// The catalogue item that the subscription is linked to; nil for none.
        public var catalogueItemID: UUID?

        /// Takes the fields as they are; derives `foldedName` from the name when it is nil.
        public init(id: UUID, name: String, foldedName: String? = nil, catalogueItemID: UUID?) {
            self.id = id
            self.name = name
            self.foldedName = foldedName ?? TextFolding.fold(name)
            self.catalogueItemID = catalogueItemID
        }
    }

    /// Finds all groups. A subscription is in one group at most: look-alikes of a duplicate belong to its group, which
    /// is then one of similar subscriptions.
    public static func find(among candidates: [Candidate]) -> [Overlap] {
        var same = Clusters(count: candidates.count)
        var alike = Clusters(count: candidates.count)
        var names: [String: Int] = [:]
        var items: [UUID: Int] = [:]
        var words: [Substring: Int] = [:]
        /// Joins with the first one that has the same key.
        func join<Key: Hashable>(_ index: Int, _ key: Key, _ firsts: inout [Key: Int], isSame: Bool) {
            guard let first = firsts[key] else {
                firsts[key] = index
                return
            }
            if isSame { same.join(first, index) }
            alike.join(first, index)
        }
        for (index, candidate) in candidates.enumerated() {
            join(index, candidate.foldedName, &names, isSame: true)
            if let item = candidate.catalogueItemID { join(index, item, &items, isSame: true) }
            let folded = candidate.foldedName
            let word = folded[..<(folded.utf8.firstIndex(of: UInt8(ascii: " ")) ?? folded.endIndex)]
            guard word.count >= 4, !NameWords.isCommon(String(word)) else { continue }
            join(index, word, &words, isSame: false)
        }
        let groups = Dictionary(grouping: candidates.indices) { alike.first(of: $0) }.values.filter { $0.count > 1 }
        let overlaps = groups.map { group -> Overlap in
            let isOne = Set(group.map { same.first(of: $0) }).count == 1
            // Only members are sorted: comparing the names of all takes longer than finding the groups.
            let members = group.map { (index: Int) -> Candidate in candidates[index] }.sorted(by: Self.inOrder)
            return Overlap(kind: isOne ? .duplicate : .similar, subscriptionIDs: members.map(\.id))
        }
        return overlaps.sorted {
            ($0.kind.rawValue, $0.subscriptionIDs[0]) < ($1.kind.rawValue, $1.subscriptionIDs[0])
        }
    }

    private static func inOrder(_ left: Candidate, _ right: Candidate) -> Bool {
        left.name == right.name ? left.id < right.id : left.name < right.name
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
