import Catalogue
import Foundation
import SubGuardDomain
import TestKit
import Testing

/// Validates the catalogue that comes with the program.
struct StarterCatalogueTests {
    private let bytes: [UInt8]
    private let drafts: [CatalogueDraft]

    init() throws {
        bytes = try StarterCatalogue.bytes()
        drafts = try StarterCatalogue.drafts(bytes)
    }

    @Test func hasHundredsOfServicesOfManyKinds() {
        #expect(drafts.count >= 300)
        let categories = Set(drafts.map(\.category))
        let leisure = ["streaming", "music", "press", "fitness", "gaming"]
        let daily = ["telecom", "transport", "insurance", "food"]
        #expect(categories.isSuperset(of: leisure + daily + ["software", "cloud", "pro"]))
    }

    @Test func everyRowKeepsTheRulesOfTheCatalogue() throws {
        for draft in drafts { #expect(try draft.validated() == draft) }
    }

    @Test func slugsAreUniqueAndInOrder() {
        let slugs = drafts.map(\.slug)
        #expect(Set(slugs).count == slugs.count)
        #expect(slugs == slugs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// Two services with the same name would make searches and matches on devices ambiguous.
    @Test func noNameOrAliasStandsTwiceInTheFile() {
        var owners: [String: String] = [:]
        for draft in drafts {
            for name in [draft.name] + draft.aliases {
                let folded = TextFolding.fold(name)
                #expect(!folded.isEmpty)
                #expect(owners[folded] == nil, "\(name) of \(draft.slug) stands in \(owners[folded] ?? "") already")
                owners[folded] = draft.slug
            }
        }
    }

    @Test func everyPriceIsPositive() {
        for draft in drafts { #expect(draft.typicalAmount.minorUnits > 0, "\(draft.slug)") }
    }

    @Test func everyAddressIsHTTPS() {
        for draft in drafts {
            #expect(draft.website?.hasPrefix("https://") == true, "\(draft.slug)")
            if let cancelURL = draft.cancelURL { #expect(cancelURL.hasPrefix("https://"), "\(draft.slug)") }
        }
        #expect(drafts.contains { $0.cancelURL != nil })
        #expect(drafts.contains { $0.noticeDays ?? 0 > 0 })
    }

    /// Amounts, quotation marks and separators are in the form that the program writes: 7.90 and not 7.9.
    @Test func readsBackAsItStands() throws {
        let items = drafts.map { draft in
            CatalogueItem(id: UUID(), draft, updatedAt: UTCInstant(millisecondsSinceEpoch: 0), revision: 1)
        }
        let written = CatalogueCSV.write(items).filter { $0 != UInt8(ascii: "\r") }
        #expect(String(decoding: written, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    }

    private func item(_ number: Int, _ draft: CatalogueDraft) -> CatalogueItem {
        CatalogueItem(
            id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255))),
            draft, updatedAt: UTCInstant(secondsSinceEpoch: 0), revision: 1)
    }

    /// Names of real services that are not in the catalogue: each of its own, with its item taken away.
    @Test func noNameOfAnotherServiceIsSurelyRecognised() throws {
        let items = drafts.enumerated().map { item($0, $1) }
        for number in items.indices.filter({ $0 % (SeededRandom.isThorough ? 3 : 30) == 0 }) {
            var others = items
            others.remove(at: number)
            if case .sure(let wrong) = CatalogueGuess(items[number].name, among: others) {
                Issue.record("\(items[number].name) was taken for \(wrong.name)")
            }
        }
    }

    @Test func namesAndSlipsOfTheFingersAreRecognised() throws {
        let items = drafts.enumerated().map { item($0, $1) }
        var (slips, sure, wrong) = (0, 0, 0)
        let step = SeededRandom.isThorough ? 4 : 24
        for (number, item) in items.enumerated().filter({ $0.offset % step == 0 }) {
            for name in [item.name.uppercased(), item.name.lowercased()] + item.aliases.prefix(1) {
                guard case .sure(let found) = CatalogueGuess(name, among: items) else {
                    Issue.record("\(name) was not recognised")
                    continue
                }
                #expect(found == item, "\(name)")
            }
            // One letter left out, in the middle.
            var typed = Array(item.name.lowercased())
            guard typed.count >= 6, typed.allSatisfy(\.isLetter) else { continue }
            typed.remove(at: 2 + number % (typed.count - 3))
            slips += 1
            switch CatalogueGuess(String(typed), among: items) {
            case .sure(item): sure += 1
            case .sure: wrong += 1
            default: break
            }
        }
        #expect(slips > 400 / step && wrong == 0)
        #expect(Double(sure) > 0.8 * Double(slips), "\(sure) of \(slips)")
    }
}
