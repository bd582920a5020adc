import BackendTestKit
import Catalogue
import Foundation
import SubGuardDomain
import TestKit
import Testing

/// The item proposed for a suggested name, held against names that were labelled by hand.
@Suite struct SuggestedAliasTests {
    private struct LabelledName {
        let typed: String
        /// Nil for an alias of no item.
        let item: String?
    }

    private static func names() throws -> [LabelledName] {
        let text = try RepositoryFile.text("Tests/Server/CatalogueTests/Fixtures/suggested-names.txt")
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return LabelledName(typed: parts[0], item: parts[1].isEmpty ? nil : parts[1])
        }
    }

    private static func nearest() throws -> (String) -> CatalogueNearest? {
        let items = try StarterItems.load()
        let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        let matcher = CatalogueMatcher(items.map { .init(id: $0.id, name: $0.name, aliases: $0.aliases) })
        let known = CatalogueNames()
        return { CatalogueNearest.find($0, in: matcher, names: known) { byID[$0] } }
    }

    @Test func offersOneClickOnlyWhereItIsRight() throws {
        let names = try Self.names()
        let (aliases, others) = (names.filter { $0.item != nil }, names.filter { $0.item == nil })
        #expect(aliases.count >= 300 && others.count >= 150)
        let nearest = try Self.nearest()
        var (right, shown): (Int, Int) = (0, 0)
        var wrong: [String] = []
        var missed: [String] = []
        for name in names {
            let found = nearest(name.typed)
            let text = "\(name.typed) → \(found?.name ?? "–") \(found?.score ?? 0)"
            if name.item != nil, found?.name == name.item { shown += 1 }
            if let found, found.isSure {
                if found.name == name.item { right += 1 } else { wrong.append(text) }
            } else if name.item != nil {
                missed.append(text)
            }
        }
        let precision = Double(right) / Double(right + wrong.count)
        let recall = Double(right) / Double(aliases.count)
        #expect(precision >= 0.98, "precision \(precision), recall \(recall), wrong \(wrong)")
        #expect(recall >= 0.95, "precision \(precision), recall \(recall), missed \(missed)")
        // Most of the rest is right too, and a link away.
        #expect(Double(shown) / Double(aliases.count) >= 0.98)
    }

    /// Anyone who chooses names and items must not make the queue cost seconds.
    @Test func comparesAFewNamesOnly() throws {
        let words = ["alpha", "bravo", "charlie", "delta", "echos", "foxtrot"]
        var state: UInt64 = 7
        func noise(_ count: Int) -> String {
            String(
                (0..<count).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return Array("bcdfghjklmnpqrstvwxz")[Int(state >> 33) % 20]
                })
        }
        func alias(of word: String) -> String {
            let words = (0..<30).map { _ in noise(4) }
            return String("\(word) \(words.joined(separator: " "))".prefix(118))
        }
        func seconds(aliases: Int) -> Double {
            let items = words.enumerated().flatMap { place, word in
                (0..<20).map { number in
                    StarterItems.made(
                        CatalogueDraft.sample(
                            "\(word) \(noise(8))", slug: "\(word)-\(number)",
                            aliases: (0..<aliases).map { _ in alias(of: word) }), UInt64(place * 100 + number))
                }
            }
            let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
            let matcher = CatalogueMatcher(items.map { .init(id: $0.id, name: $0.name, aliases: $0.aliases) })
            let known = CatalogueNames()
            return leastProcessorSeconds(of: 4) {
                let name = (words.shuffled() + (0..<4).map { _ in noise(12) }).joined(separator: " ")
                _ = CatalogueNearest.find(name, in: matcher, names: known) { byID[$0] }
            }
        }
        let (few, many) = (seconds(aliases: 2), seconds(aliases: 20))
        #expect(many < few * 3)
    }

    @Test func comparesByWordsThatTellTheService() throws {
        let nearest = try Self.nearest()
        #expect(nearest("test") == nil, "Tesla has other letters")
        for (typed, name) in [
            ("le monde abonnement", "Le Monde"), ("iCloud+ 200 Go", "iCloud+"), ("spotify family", "Spotify Premium"),
            ("PRLV SEPA NETFLIX INTL BV", "Netflix"), ("applemusic", "Apple Music"), ("CANALPLUS", "Canal+"),
        ] {
            let found = try #require(nearest(typed), "\(typed)")
            #expect(found.name == name && found.isSure, "\(typed): \(found.score)")
        }
        // A word more that tells a service is another service.
        #expect(nearest("le petit monde").map(\.isSure) != true)
        // As digits do, a letter of its own tells one from the other.
        for (left, right) in [
            ("Piscine A", "Piscine B"), ("Piscine", "Piscine C"), ("Vitamin B Club", "Vitamin C Club"),
        ] {
            #expect(NameResemblance.score(NameWords(left), NameWords(right)) < CatalogueNearest.sureScore, "\(left)")
        }
        #expect(NameResemblance.score(NameWords("Mc Donald s"), NameWords("McDonalds")) > CatalogueNearest.sureScore)
        // Nothing else is 100 than the name itself.
        #expect(nearest("NETFLIX®")?.score == 100 && nearest("netflix premium hd")?.score ?? 100 < 100)
    }
}
