import BackendTestKit
import Catalogue
import Foundation
import SubGuardDomain
import TestKit
import Testing

/// The measure of duplicates, held against pairs that were labelled by hand.
@Suite struct CatalogueDuplicatesTests {
    private struct LabelledPair {
        let text: String
        let isDuplicate: Bool
        let first: CatalogueItem
        let second: CatalogueItem
    }

    /// What `GET /api/v1/admin/catalogue/duplicates` and the console list without `min_score`.
    private static let defaultScore = 80

    private static func item(_ text: Substring, _ number: UInt64) throws -> CatalogueItem {
        let parts = try #require(text.wholeMatch(of: /([^<(]+)(?:<(.+)>)? *(?:\((.+)\))? */))
        var draft = CatalogueDraft.sample(
            parts.1.trimmingCharacters(in: .whitespaces), slug: "item-\(number)",
            aliases: parts.3.map { $0.components(separatedBy: ", ") } ?? [])
        draft.website = parts.2.map { "https://\($0)" }
        return StarterItems.made(draft, number)
    }

    private static func pairs() throws -> [LabelledPair] {
        let text = try RepositoryFile.text("Tests/Server/CatalogueTests/Fixtures/duplicates.txt")
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.enumerated().map { number, line in
            let sides = line.dropFirst(2).split(separator: "|").map { $0.drop(while: \.isWhitespace) }
            return LabelledPair(
                text: String(line), isDuplicate: line.hasPrefix("="),
                first: try item(sides[0], UInt64(number * 2)), second: try item(sides[1], UInt64(number * 2 + 1)))
        }
    }

    @Test func separatesDuplicatesFromLookAlikes() throws {
        let pairs = try Self.pairs()
        #expect(pairs.count(where: \.isDuplicate) >= 60 && pairs.count { !$0.isDuplicate } >= 120)
        // Through the list, which compares only pairs with a key in common.
        let listed = pairs.filter { pair in
            CatalogueDuplicates.find([pair.first, pair.second], minimumScore: Self.defaultScore).count == 1
        }
        let right = listed.count(where: \.isDuplicate)
        let precision = Double(right) / Double(listed.count)
        let recall = Double(right) / Double(pairs.count(where: \.isDuplicate))
        let texts = Set(listed.map(\.text))
        let wrong = pairs.filter { texts.contains($0.text) != $0.isDuplicate }.map(\.text)
        #expect(precision >= 0.98, "precision \(precision), recall \(recall): \(wrong)")
        #expect(recall >= 0.95, "precision \(precision), recall \(recall): \(wrong)")
    }

    @Test func ranksDuplicatesBeforeLookAlikes() throws {
        let scored = try Self.pairs().map { pair in
            (pair, score: CatalogueDuplicates.find([pair.first, pair.second], minimumScore: 0).first?.score ?? 0)
        }.sorted { $0.score > $1.score }
        let count = scored.count(where: \.0.isDuplicate)
        let first = scored.prefix(count).filter(\.0.isDuplicate)
        #expect(Double(first.count) / Double(count) >= 0.95)
    }

    /// Nearly nothing of the starter catalogue is listed, and what is planted there comes first.
    @Test func findsAPlantedDuplicateInTheStarterCatalogue() throws {
        var items = try StarterItems.load()
        #expect(items.count > 1000)
        func names(_ pair: CatalogueDuplicate) -> String {
            [pair.first, pair.second].compactMap { id in items.first { $0.id == id }?.name }.joined(separator: " | ")
        }
        let before = CatalogueDuplicates.find(items, minimumScore: Self.defaultScore)
        #expect(before.count <= 5, "\(before.map { "\(names($0)) \($0.score)" })")
        items.append(try Self.item("Telerama Abonnement <abo.telerama.fr>", 90_001))
        let after = CatalogueDuplicates.find(items, minimumScore: Self.defaultScore)
        #expect(after.first?.second == makeID(90_001) || after.first?.first == makeID(90_001))
        #expect(after.first?.reasons == [.similarName, .sameWebsite])
        #expect(after.count == before.count + 1)
    }

    /// Each pair shares an alias, and no alias has a word of more than one letter: comparing each name with each other
    /// one, word by word, would take a minute.
    @Test func namesWithoutWordsTakeNoLonger() throws {
        var random = SplitMix64(seed: 7)
        func name() -> String {
            (0..<60).map { _ in String("bcfgijkmnopqrstuvwxz".randomElement(using: &random) ?? "b") }
                .joined(separator: " ")
        }
        let blocks = 4
        let shared = (0..<blocks * blocks).map { _ in name() }
        let items = try (0..<48 as Range<UInt64>).map { number in
            var item = try Self.item("n\(number)x", number)
            let block = Int(number) % blocks
            let own = (0..<20 - blocks).map { _ in name() }
            item.aliases = (0..<blocks).map { shared[min(block, $0) * blocks + max(block, $0)] } + own
            return item
        }
        let found = CatalogueDuplicates.find(items, minimumScore: 0)
        #expect(found.count == 48 * 47 / 2 && found.allSatisfy { $0.score == 100 })
    }
}
