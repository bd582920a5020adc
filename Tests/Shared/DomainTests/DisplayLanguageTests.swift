import Foundation
import SubGuardDomain
import Testing

@Suite struct DisplayLanguageTests {
    @Test(arguments: [
        ("fr", DisplayLanguage.french), ("fr_FR", .french), ("fr-CA", .french), ("en_US", .english),
        ("en-GB", .english), ("de_DE", nil), ("fro", nil), ("", nil),
    ])
    func isThatOfTheLocale(_ identifier: String, _ language: DisplayLanguage?) {
        #expect(DisplayLanguage(Locale(identifier: identifier)) == language)
    }

    @Test func saysFaultsInBothLanguages() {
        let fault = Fault("amount", .required, "Is required.")
        #expect(fault.displayText(.english) == "amount: Is required.")
        #expect(fault.displayText(.french) == "montant : obligatoire")
        #expect(fault.displayDetail(.french) == "obligatoire")
    }
}
