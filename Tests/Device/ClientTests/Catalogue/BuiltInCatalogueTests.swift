import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// The starter catalogue inside the program is the one of the repository.
@Suite struct BuiltInCatalogueTests {
    @Test func hasEveryRowOfTheFile() throws {
        let lines = try RepositoryFile.text("Config/catalogue.csv").split(separator: "\n").dropFirst()
        let starter = StarterCatalogue.builtIn
        let items = starter.items
        #expect(items.count == lines.count && starter.itemCount == lines.count)
        #expect(zip(lines, items).allSatisfy { $0.contains(",\($1.slug),\($1.category),") })
        #expect(Set(items.map(\.id)).count == items.count)
        let netflix = try #require(items.first { $0.slug == "netflix" })
        #expect(netflix.typicalAmount.currency.code == "EUR" && netflix.billingCycle == .monthly)
        #expect(netflix.aliases.contains("Netflix Standard"))
        #expect(starter.day > CalendarDay.earliest)
        #expect(items.allSatisfy { $0.updatedAt == UTCInstant(startOf: starter.day) })
    }
}
