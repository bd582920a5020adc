package import Foundation
package import SubGuardDomain

/// Two items that may be the same service.
package struct CatalogueDuplicate: Sendable, Hashable {
    package enum Reason: String, Sendable, CaseIterable {
        case sameName = "same_name"
        case similarName = "similar_name"
        case sameWebsite = "same_website"
    }

    package let first: UUID
    package let second: UUID
    /// 100 for equal names, ignoring case, accents and spaces; lower the more letters differ.
    package let score: Int
    package let reasons: [Reason]
}

/// Finds likely duplicates without comparing all pairs.
///
/// Two items are compared if they share a name, a name with one letter removed (which finds up to one typo on each
/// side), or the host of their website. The score is the percentage of letters that remain when one name is edited into
/// the other; the same host adds ten points to similar names. Names with different numbers (`Canal 1`, `Canal 2`) are
/// not duplicates.
package enum CatalogueDuplicates {
    /// Maximum number of items per key, so that a frequent name does not cause quadratic work.
    private static let maximumGroup = 32
    private static let leastLetters = 4
    /// Names with a lower score are not similar, even with the same host.
    private static let leastResemblance = 60

    /// Pairs with at least this score, highest score first, then by id.
    package static func find(_ items: [CatalogueItem], minimumScore: Int) -> [CatalogueDuplicate] {
        let entries = items.map(Entry.init)
        // Keys and positions share one sorted array: a large catalogue has millions of them.
        var keys: [Key] = []
        for (place, entry) in entries.enumerated() {
            for hash in Set(entry.keys) { keys.append(Key(hash: hash, place: Int32(place))) }
        }
        keys.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        var seen: Set<Int> = []
        var found: [CatalogueDuplicate] = []
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end].hash == keys[start].hash { end += 1 }
            let group = keys[start..<min(end, start + maximumGroup)].map { Int($0.place) }
            start = end
            for (index, left) in group.enumerated() {
                for right in group[(index + 1)...] where seen.insert(left * items.count + right).inserted {
                    if let pair = judge(entries[left], entries[right]), pair.score >= minimumScore {
                        found.append(pair)
                    }
                }
            }
        }
        return found.sorted { left, right in
            if left.score != right.score { return left.score > right.score }
            return (left.first.rawBytes + left.second.rawBytes)
                .lexicographicallyPrecedes(right.first.rawBytes + right.second.rawBytes)
        }
    }

    private struct Key {
        let hash: UInt64
        let place: Int32
    }

    private struct Entry {
        let id: UUID
        /// Folded, without spaces.
        let names: [[UInt16]]
        let host: String?

        init(_ item: CatalogueItem) {
            id = item.id
            names = ([item.name] + item.aliases).map(CatalogueDuplicates.letters)
            host = item.website.flatMap(Self.host)
        }

        /// Hashes of the shared properties. Hash collisions are scored like other pairs.
        var keys: [UInt64] {
            var keys: [UInt64] = []
            for name in names {
                keys.append(Self.hash(name, without: nil))
                guard name.count >= CatalogueDuplicates.leastLetters else { continue }
                for index in name.indices { keys.append(Self.hash(name, without: index)) }
            }
            if let host { keys.append(Self.hash(Array(host.utf16), without: nil) ^ .max) }
            return keys
        }

        /// FNV-1a.
        private static func hash(_ name: [UInt16], without skipped: Int?) -> UInt64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for (index, unit) in name.enumerated() where index != skipped {
                hash = (hash ^ UInt64(unit)) &* 0x100_0000_01B3
            }
            return hash
        }

        private static func host(of website: String) -> String? {
            guard let host = website.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first else {
                return nil
            }
            let name = host.lowercased()
            return name.hasPrefix("www.") ? String(name.dropFirst(4)) : name
        }
    }

    private static func judge(_ left: Entry, _ right: Entry) -> CatalogueDuplicate? {
        var best = 0
        for one in left.names {
            for other in right.names { best = max(best, resemblance(one, other)) }
        }
        let sharesHost = left.host != nil && left.host == right.host
        guard best >= leastResemblance else { return nil }
        var reasons = [best == 100 ? CatalogueDuplicate.Reason.sameName : .similarName]
        if sharesHost { reasons.append(.sameWebsite) }
        let score = best == 100 ? 100 : min(99, best + (sharesHost ? 10 : 0))
        let (first, second) =
            left.id.rawBytes.lexicographicallyPrecedes(right.id.rawBytes) ? (left.id, right.id) : (right.id, left.id)
        return CatalogueDuplicate(first: first, second: second, score: score, reasons: reasons)
    }

    private static func letters(of name: String) -> [UInt16] {
        Array(TextFolding.fold(name).replacing(" ", with: "").utf16.prefix(60))
    }

    /// Similarity of two names, 0 to 100.
    static func resemblance(_ left: String, _ right: String) -> Int {
        resemblance(letters(of: left), letters(of: right))
    }

    /// Percentage (0 to 100) of the longer name's letters that remain when one name is edited into the other.
    private static func resemblance(_ left: [UInt16], _ right: [UInt16]) -> Int {
        guard left != right else { return 100 }
        let longer = max(left.count, right.count)
        guard longer >= leastLetters, digits(left) == digits(right) else { return 0 }
        return max(0, (longer - distance(left, right)) * 100 / longer)
    }

    private static func digits(_ name: [UInt16]) -> [UInt16] { name.filter { (0x30...0x39).contains($0) } }

    /// Number of insertions, deletions, replacements and swaps of adjacent letters (optimal string alignment).
    private static func distance(_ left: [UInt16], _ right: [UInt16]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            before = last
            last = current
        }
        return last[right.count]
    }
}
