package import Foundation
package import SubGuardDomain

/// Two items that may be the same service.
package struct CatalogueDuplicate: Sendable, Hashable {
    package enum Reason: String, Sendable, CaseIterable {
        case sameName = "same_name"
        case similarName = "similar_name"
        case sameWebsite = "same_website"
    }

    package let pair: CataloguePair
    /// 100 for equal names, ignoring case, accents and spaces; lower the more the names differ.
    package let score: Int
    package let reasons: [Reason]

    package var first: UUID { pair.first }
    package var second: UUID { pair.second }
}

/// Two items, in the order of their ids.
package struct CataloguePair: Sendable, Hashable {
    package let first: UUID
    package let second: UUID

    package init(_ one: UUID, _ other: UUID) {
        (first, second) = one.rawBytes.lexicographicallyPrecedes(other.rawBytes) ? (one, other) : (other, one)
    }
}

/// Finds likely duplicates without comparing all pairs, nor all names of a pair.
///
/// Two items are compared if a name of each has the same words that tell a service, apart from one typo, or if their
/// websites have the same domain. Of their names those are compared that have these words, and the two that people see.
/// The score is that of their most similar names. The same domain raises it; another domain lowers it, and so do the
/// countries of their domains. Variants such as `Revolut Metal` and `Revolut Ultra` are no duplicates, whatever aliases
/// they have.
package enum CatalogueDuplicates {
    /// Maximum number of items per key, so that a frequent name does not cause quadratic work.
    private static let maximumGroup = 32
    private static let leastLettersForTypo = 5
    /// Of an item; typos in further names are not found.
    private static let mostKeys = 256
    /// Pairs with a lower score are not kept.
    private static let leastScore = 60
    private static let mostOfVariants = 70
    private static let mostOfAliases = 75

    /// Pairs with at least this score, highest score first, then by id.
    package static func find(_ items: [CatalogueItem], minimumScore: Int) -> [CatalogueDuplicate] {
        // Keys and positions share one sorted array: a large catalogue has millions of them.
        var keys: [Key] = []
        for (place, item) in items.enumerated() {
            for (hash, name) in Self.keys(of: item) {
                keys.append(Key(hash: hash, place: Int32(place), name: Int32(name)))
            }
        }
        keys.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        var entries: [Int32: Entry] = [:]
        func entry(_ place: Int32) -> Entry {
            if let entry = entries[place] { return entry }
            let entry = Entry(items[Int(place)])
            entries[place] = entry
            return entry
        }
        var seen: Set<NamePair> = []
        var likeness: [NamePair: Likeness] = [:]
        func compare(_ pair: NamePair) {
            guard seen.insert(pair).inserted else { return }
            likeness[pair.ofItems, default: Likeness()].add(
                entry(pair.left), Int(pair.leftName), entry(pair.right), Int(pair.rightName))
        }
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end].hash == keys[start].hash { end += 1 }
            let group = keys[start..<min(end, start + maximumGroup)]
            start = end
            for (index, left) in zip(group.indices, group) {
                for right in group[(index + 1)...] {
                    let pair = NamePair(
                        left: left.place, leftName: left.name, right: right.place, rightName: right.name)
                    compare(pair)
                    compare(pair.ofItems)
                }
            }
        }
        let found = likeness.compactMap { pair, likeness in judge(entry(pair.left), entry(pair.right), likeness) }
        return found.filter { $0.score >= minimumScore }.sorted { left, right in
            if left.score != right.score { return left.score > right.score }
            return (left.first.rawBytes + left.second.rawBytes)
                .lexicographicallyPrecedes(right.first.rawBytes + right.second.rawBytes)
        }
    }

    private struct Key {
        let hash: UInt64
        let place: Int32
        /// 0 for the item's name, otherwise the number of an alias.
        let name: Int32
    }

    /// A name of each of two items, which are named by their places.
    private struct NamePair: Hashable {
        let left: Int32
        let leftName: Int32
        let right: Int32
        let rightName: Int32

        /// The names that people see.
        var ofItems: NamePair { NamePair(left: left, leftName: 0, right: right, rightName: 0) }
    }

    /// How similar the names of two items are.
    private struct Likeness {
        var score = 0
        /// Whether the name of one is a name of the other.
        var isNamedLike = false

        mutating func add(_ left: Entry, _ one: Int, _ right: Entry, _ other: Int) {
            let found = NameResemblance.score(left.names[one], right.names[other])
            let isOfName = one == 0 || other == 0
            if found == 100, isOfName { isNamedLike = true }
            // Aliases are often shorter than names: `Free` of Freebox, `Forfait Free` of Free Mobile.
            score = max(score, isOfName || found == 100 ? found : min(found, mostOfAliases))
        }
    }

    private struct Entry {
        let id: UUID
        /// Of the name, then of the aliases.
        let names: [NameWords]
        let site: WebsiteDomain?
        let countries: Set<String>

        init(_ item: CatalogueItem) {
            id = item.id
            names = ([item.name] + item.aliases).map { NameWords($0) }
            site = item.website.flatMap { WebsiteDomain($0) }
            countries = names[0].countries.union([site?.country].compactMap { $0 })
        }
    }

    /// Hashes of what duplicates share, each with the number of the first name that has it. Hash collisions are scored
    /// like other pairs.
    private static func keys(of item: CatalogueItem) -> [UInt64: Int] {
        var keys: [UInt64: Int] = [:]
        func add(_ hash: UInt64, _ name: Int) { if keys[hash] == nil { keys[hash] = name } }
        for (number, name) in ([item.name] + item.aliases).enumerated() {
            let words = NameWords(name)
            add(hash(words.letters), number)
            add(hash(words.essentialLetters), number)
            add(hash(Array(words.essential.sorted().joined().utf16)), number)
            add(hash(Array(words.core.joined().utf16)), number)
            guard words.essentialLetters.count >= leastLettersForTypo, keys.count < mostKeys else { continue }
            for index in words.essentialLetters.indices { add(hash(words.essentialLetters, without: index), number) }
        }
        if let site = item.website.flatMap({ WebsiteDomain($0) }) { add(hash(Array(site.name.utf16)) ^ .max, 0) }
        return keys
    }

    /// FNV-1a.
    private static func hash(_ name: [UInt16], without skipped: Int? = nil) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for (index, unit) in name.enumerated() where index != skipped {
            hash = (hash ^ UInt64(unit)) &* 0x100_0000_01B3
        }
        return hash
    }

    /// The pair, if it may be one; nil for items that are not similar.
    private static func judge(_ left: Entry, _ right: Entry, _ likeness: Likeness) -> CatalogueDuplicate? {
        var score = likeness.score
        let isSameSite = left.site != nil && left.site?.name == right.site?.name
        if !likeness.isNamedLike {
            if let one = left.site, let other = right.site {
                let isSister = one.label == other.label && left.countries == right.countries
                score = isSameSite ? min(99, score + 2) : isSister ? score : score - 20
            }
            let areApart =
                !left.countries.isEmpty && !right.countries.isEmpty
                && left.countries.isDisjoint(with: right.countries)
            if areApart || NameResemblance.areVariants(left.names[0], right.names[0]) {
                score = min(score, mostOfVariants)
            }
        }
        guard score >= leastScore else { return nil }
        var reasons = [score == 100 ? CatalogueDuplicate.Reason.sameName : .similarName]
        if isSameSite { reasons.append(.sameWebsite) }
        return CatalogueDuplicate(pair: CataloguePair(left.id, right.id), score: score, reasons: reasons)
    }
}

/// The domain that an owner registered for a website.
private struct WebsiteDomain {
    /// `bbc.co.uk` for `https://www.bbc.co.uk/sounds`.
    let name: String
    /// Without what registries give: `bbc`.
    let label: String
    /// The country of the registry.
    let country: String?

    /// Names below which registries of countries give domains.
    private static let registries: Set<String> = ["ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"]

    init?(_ website: String) {
        let parts = website.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 2 else { return nil }
        let labels = parts[2].lowercased().prefix { $0 != ":" }.split(separator: ".").map(String.init)
        guard let last = labels.last, labels.count > 1 else { return nil }
        let isBelow = last.count == 2 && labels.count > 2 && Self.registries.contains(labels[labels.count - 2])
        let own = labels.suffix(isBelow ? 3 : 2)
        (name, label) = (own.joined(separator: "."), own.first ?? last)
        country = last.count == 2 ? NameWords.country(last) : nil
    }
}
