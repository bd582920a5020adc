import Foundation
import SubGuardDomain
public import SubGuardEngine

extension StarterCatalogue {
    /// The starter catalogue of this version, `Config/catalogue.csv`.
    public static let builtIn = StarterCatalogue(
        day: CalendarDay(iso: EmbeddedCatalogue.day) ?? .earliest, itemCount: EmbeddedCatalogue.itemCount
    ) {
        Data(base64Encoded: EmbeddedCatalogue.gzip, options: .ignoreUnknownCharacters).map { Array($0) } ?? []
    }
}
