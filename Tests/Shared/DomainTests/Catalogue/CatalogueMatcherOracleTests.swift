import Foundation
import SubGuardDomain
import TestKit
import Testing

/// Compares the matcher with a simple definition of the rules, on random words of few letters, with frequent
/// collisions.
@Suite struct CatalogueMatcherOracleTests {
    @Test func agreesWithTheDefinition() {
        var generator = SeededRandom(seed: 20_000)
        for round in 0..<40 {
            let names = (0..<30).map { _ in randomText(1...12, &generator) }
            let entries = names.map { CatalogueMatcher.Entry(id: UUID(), name: $0) }
            let matcher = CatalogueMatcher(entries)
            for _ in 0..<20 {
                let query = randomText(1...7, &generator)
                let all = matcher.search(query, limit: 100)
                let found = all.map { "\($0.score) \($0.matched)" }.sorted()
                let expected = names.compactMap { name in score(query, name).map { "\($0) \(name)" } }.sorted()
                #expect(found == expected, "round \(round), query \(query)")
                // A limit truncates the list without changing it.
                for limit in 1...4 {
                    #expect(matcher.search(query, limit: limit) == Array(all.prefix(limit)), "limit \(limit), \(query)")
                }
            }
        }
    }

    private func score(_ query: String, _ name: String) -> Int? {
        if name == query { return 100 }
        if name.hasPrefix(query) { return 90 }
        let laterWords = name.indices.dropFirst().filter { name[name.index(before: $0)] == " " }.map {
            String(name[$0...])
        }
        if laterWords.contains(where: { $0.hasPrefix(query) }) { return 80 }
        if name.contains(query) { return 70 }
        guard query.count(where: { $0 != " " }) >= 4 else { return nil }
        let variants = typos(of: query)
        if variants.contains(name) { return 60 }
        if variants.contains(where: { name.hasPrefix($0) }) { return 50 }
        if laterWords.contains(where: { word in variants.contains { word.hasPrefix($0) } }) { return 40 }
        return nil
    }

    /// Every text from which `query` differs by one typo.
    private func typos(of query: String) -> Set<String> {
        let letters = Array(query)
        let alphabet: [Character] = ["a", "b", "c", " "]
        var variants: Set<String> = []
        for index in 0...letters.count {
            for letter in alphabet { variants.insert(String(letters[..<index] + [letter] + letters[index...])) }
            guard index < letters.count else { continue }
            variants.insert(String(letters[..<index] + letters[(index + 1)...]))
            for letter in alphabet { variants.insert(String(letters[..<index] + [letter] + letters[(index + 1)...])) }
            guard index + 1 < letters.count else { continue }
            variants.insert(String(letters[..<index] + [letters[index + 1], letters[index]] + letters[(index + 2)...]))
        }
        return variants
    }

    /// Words of three letters, already folded.
    private func randomText(_ length: ClosedRange<Int>, _ generator: inout SeededRandom) -> String {
        let letters = (0..<Int.random(in: length, using: &generator)).map { _ in
            "abcabc ".randomElement(using: &generator) ?? "a"
        }
        let words = String(letters).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? "a" : words
    }
}
