import Foundation
import Testing

@testable import SubGuardDomain

@Suite struct CatalogueMarkTests {
    @Test(arguments: [("Netflix", "NE"), ("Ciné+ OCS", "CO"), ("é", "É"), ("+", ""), ("1 Password", "1P")])
    func makesInitials(_ name: String, _ initials: String) {
        #expect(CatalogueMark(name: name, category: "ai").initials == initials)
    }

    /// Devices draw the same mark, so its colours may not change.
    @Test func dependsOnTheCategoryOnly() {
        #expect(CatalogueMark(name: "A", category: "streaming").colour == 0xB3261E)
        #expect(CatalogueMark.colour(of: "my_own") == CatalogueMark.colour(of: "my_own"))
        #expect(Set(["a", "b", "c", "d", "e"].map(CatalogueMark.colour)).count > 2)
    }

    /// WCAG 2.2, 1.4.3.
    @Test func whiteTextIsLegibleOnEveryColour() {
        for (category, colour) in CatalogueMark.colours {
            let parts = [16, 8, 0].map { shift -> Double in
                let part = Double(colour >> shift & 0xFF) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            let luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
            #expect(1.05 / (luminance + 0.05) >= 4.5, "\(category)")
        }
    }
}
