import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct DeviceStoreErrorTests {
    private static let fault = Fault("next_billing_on", .required, "Is required.")

    @Test(arguments: [
        (DeviceStoreError.invalid(fault), "next charge: Is required.", "prochaine échéance : obligatoire"),
        (
            .inFile("a.csv", .invalidFields([fault, fault])),
            "a.csv: next charge: Is required.\nnext charge: Is required.",
            "a.csv : prochaine échéance : obligatoire\nprochaine échéance : obligatoire"
        ),
        (
            .foreignDatabase, "database error: it is a database of another program; nothing was written",
            "erreur de la base : c’est la base d’un autre programme ; rien n’a été écrit"
        ),
        (
            .damagedDatabase,
            "database error: the file is damaged or no SubGuard database; restore a backup or choose another file",
            "erreur de la base : le fichier est endommagé ou n’est pas une base SubGuard ; restaure une sauvegarde ou "
                + "choisis un autre fichier"
        ),
        (.nothingToUndo, "nothing to undo", "rien à annuler"),
    ])
    func isSaidInBothLanguages(_ error: DeviceStoreError, _ english: String, _ french: String) {
        #expect(error.displayText(.english) == english)
        #expect(error.displayText(.french) == french)
    }

    @Test func namesTheFieldOfACategoryThatRequiresPremium() {
        #expect(
            DeviceStoreError.premiumRequired(.customCategories).displayText(.french)
                .hasPrefix("catégorie : les catégories personnalisées nécessitent Premium\n"))
    }
}
