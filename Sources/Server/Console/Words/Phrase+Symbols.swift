/// Symbols: the names of functions in crashes.
extension Phrase {
    static let symbols = Phrase("Symbols", "Symboles")
    static let symbolsLead = Phrase(
        "The images whose functions have names. Crashes of other images show image and offset.",
        "Les images dont les fonctions ont un nom. Les plantages des autres images montrent l’image et le décalage.")
    static let symbolsNone = Phrase("No symbols yet", "Aucun symbole pour l’instant")
    static let symbolsNoneHint = Phrase(
        "Crashes show image and offset until the symbols of the image are added.",
        "Les plantages montrent l’image et le décalage tant que les symboles de l’image ne sont pas ajoutés.")
    static let symbolsAdd = Phrase("Add symbols", "Ajouter des symboles")
    static let symbolsAddHint = Phrase(
        "On the Mac that built the app, then on the server. The API takes them too: PUT "
            + "/api/v1/admin/crashes/symbols/{debug_id}.",
        "Sur le Mac qui a compilé l’app, puis sur le serveur. L’API les accepte aussi : PUT "
            + "/api/v1/admin/crashes/symbols/{debug_id}.")
    static let symbolsImage = Phrase("Image", "Image")
    static let symbolsDebugID = Phrase("Debug id", "Identifiant de débogage")
    static let symbolsFunctions = Phrase("Functions", "Fonctions")
    static let symbolsUploaded = Phrase("Added", "Ajoutés")
    static let symbolsRemove = Phrase("Remove…", "Retirer…")
    static let symbolsRemoveOf = Phrase("Remove the symbols of %1", "Retirer les symboles de %1")
    static let symbolsRemoved = Phrase("The symbols of %1 are removed.", "Les symboles de %1 sont retirés.")
    static let symbolsConfirm = Phrase("Remove these symbols?", "Retirer ces symboles ?")
    static let symbolsConfirmLead = Phrase(
        "Crashes of this image show offsets again, and groups that only these names made one are parted. Adding the same "
            + "file again restores both.",
        "Les plantages de cette image montrent de nouveau des décalages, et les groupes que seuls ces noms réunissaient "
            + "sont séparés. Ajouter de nouveau le même fichier rétablit les deux.")
    static let symbolsConfirmButton = Phrase("Remove", "Retirer")

    // Groups that symbols made one.
    static let crashParts = Phrase("One function, several places", "Une fonction, plusieurs endroits")
    static let crashPartsHint = Phrase(
        "By their symbols these groups are one. Parting them gives each its own reports and status back; the same symbols "
            + "do not make them one again.",
        "Leurs symboles font de ces groupes un seul. Les séparer rend à chacun ses rapports et son statut ; les mêmes "
            + "symboles ne les réunissent plus.")
    static let crashPlace = Phrase("Place", "Endroit")
    static let crashStatus = Phrase("Status", "Statut")
    static let crashPart = Phrase("Part them", "Les séparer")
    static let crashParted = Phrase(
        "The groups are parted. The others are in the list.", "Les groupes sont séparés. Les autres sont dans la liste."
    )
}
