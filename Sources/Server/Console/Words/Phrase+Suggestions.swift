import Backend

/// The queue of suggestions.
extension Phrase {
    static let suggestionsLead = Phrase(
        "Names that devices did not find in the catalogue, grouped without case and accents.",
        "Noms que les appareils n’ont pas trouvés dans le catalogue, regroupés sans casse ni accents.")
    static let pending = Phrase("Pending", "En attente")
    static let approved = Phrase("Approved", "Approuvées")
    static let rejected = Phrase("Rejected", "Rejetées")
    static let all = Phrase("All", "Toutes")
    static let status = Phrase("Status", "Statut")
    static let search = Phrase("Search", "Rechercher")
    static let sort = Phrase("Order", "Ordre")
    static let mostOften = Phrase("Most often", "Les plus fréquentes")
    static let latest = Phrase("Latest", "Les plus récentes")
    static let name = Phrase("Name", "Nom")
    static let times = Phrase("Times", "Fois")
    static let lastSeen = Phrase("Last seen", "Vue le")
    static let nearest = Phrase("Nearest item", "Élément le plus proche")
    static let noNearest = Phrase("none similar", "aucun semblable")
    static let similarity = Phrase("Similarity: %1 of 100", "Ressemblance : %1 sur 100")
    static let mixedScripts = Phrase("mixed alphabets: check letters", "alphabets mêlés : vérifie les lettres")
    static let select = Phrase("Select %1", "Sélectionner %1")
    static let selectAll = Phrase("Select all on this page", "Tout sélectionner sur cette page")
    static let withSelected = Phrase("With the selected suggestions", "Avec les suggestions sélectionnées")
    static let selectedOne = Phrase("%1 selected", "%1 sélectionnée")
    static let selectedMany = Phrase("%1 selected", "%1 sélectionnées")
    static let approveAll = Phrase(
        "Approve as aliases of the nearest items", "Approuver comme alias des éléments proches")
    static let reject = Phrase("Reject", "Rejeter")
    static let reopen = Phrase("Reopen", "Rouvrir")
    static let delete = Phrase("Delete", "Supprimer")
    static let aliasOf = Phrase("Alias of %1", "Alias de %1")
    static let rejectNamed = Phrase("Reject %1", "Rejeter %1")
    static let reopenNamed = Phrase("Reopen %1", "Rouvrir %1")
    static let reason = Phrase("Reason for the audit log (optional)", "Motif pour le journal d’audit (facultatif)")
    static let noSuggestions = Phrase("No suggestions here", "Aucune suggestion ici")
    static let noSuggestionsHint = Phrase(
        "Devices send names that they do not find. Choose another status, or clear the search.",
        "Les appareils envoient les noms introuvables. Choisis un autre statut, ou efface la recherche.")
    static let nextPage = Phrase("Next page", "Page suivante")
    static let firstPage = Phrase("First page", "Première page")
    static let shownOf = Phrase("%1 of %2 shown", "%1 sur %2 affichées")
    static let shown = Phrase("%1 shown", "%1 affichées")
    static let undo = Phrase("Undo: put %1 back into the queue", "Annuler : remettre %1 dans la file")
    static let undoNote = Phrase(
        "This also removes the aliases that were added.", "Cela retire aussi les alias ajoutés.")
    static let suggestionConfirmOne = Phrase("Delete %1 suggestion?", "Supprimer %1 suggestion ?")
    static let suggestionConfirmMany = Phrase("Delete %1 suggestions?", "Supprimer %1 suggestions ?")
    static let suggestionConfirmLead = Phrase(
        "This cannot be undone. The names return to the queue when devices suggest them again; reject a name to keep it "
            + "out.",
        "C’est irréversible. Les noms reviennent dans la file si des appareils les suggèrent à nouveau ; rejette un nom "
            + "pour l’en exclure.")
    static let suggestionUndo = Phrase("Undo", "Annuler")
    static let suggestionUndone = Phrase(
        "Back in the queue; what the approval added to the catalogue is removed.",
        "De retour dans la file ; ce que l’approbation a ajouté au catalogue est retiré.")
    static let suggestionGone = Phrase("This suggestion is gone", "Cette suggestion n’existe plus")
    static let suggestionGoneLead = Phrase(
        "It was deleted meanwhile, and nothing was saved. This is what you typed:",
        "Elle a été supprimée entre-temps, et rien n’a été enregistré. Voici ta saisie :")
    static let nothingSelected = Phrase(
        "Nothing was changed: select rows, then press a button below the list.",
        "Rien n’a été modifié : sélectionnez des lignes, puis un bouton sous la liste.")
    static let notAccepted = Phrase("This was not accepted:", "Cela n’a pas été accepté :")

    // The page of one suggestion.
    static let suggestedOnce = Phrase("%1, suggested once, on %4 (UTC).", "%1, reçue une fois, le %4 (UTC).")
    static let suggestedOften = Phrase(
        "%1, suggested %2 times from %3 to %4 (UTC).", "%1, reçue %2 fois du %3 au %4 (UTC).")
    static let statusPending = Phrase("Pending", "En attente")
    static let statusApproved = Phrase("Approved", "Approuvée")
    static let statusRejected = Phrase("Rejected", "Rejetée")
    static let suggestionApproved = Phrase(
        "Approved. Devices receive the change with their next synchronisation.",
        "Approuvée. Les appareils reçoivent la modification à leur prochaine synchronisation.")
    static let suggestionRejected = Phrase(
        "Rejected. The name does not return to the queue.", "Rejetée. Le nom ne revient pas dans la file.")
    static let suggestionReopened = Phrase("Back in the queue.", "De retour dans la file.")
    static let mixedScriptsLong = Phrase(
        "A word of this name mixes alphabets whose letters look alike. Check it carefully before you approve it.",
        "Un mot de ce nom mêle des alphabets aux lettres semblables. Vérifie-le bien avant d’approuver.")
    static let becameItem = Phrase(
        "It became this item, or an alias of it:", "Elle est devenue cet élément, ou un alias :")
    static let decidedAt = Phrase("Decided %1.", "Décidée le %1.")
    static let reopenHint = Phrase(
        "Puts the name back into the queue. An item or alias that it became stays.",
        "Remet le nom dans la file. L’élément ou l’alias créé reste.")
    static let similarItems = Phrase("Similar items", "Éléments semblables")
    static let noSimilar = Phrase("No item of the catalogue is similar.", "Aucun élément du catalogue n’est semblable.")
    static let searchCatalogue = Phrase(
        "Search the catalogue for another item", "Chercher un autre élément au catalogue")
    static let addAlias = Phrase("Add as alias", "Ajouter comme alias")
    static let addAliasNamed = Phrase("Add %1 as an alias of %2", "Ajouter %1 comme alias de %2")
    static let approveAsItem = Phrase("Approve as a new item", "Approuver comme nouvel élément")
    static let approveItem = Phrase("Approve and add the item", "Approuver et ajouter l’élément")

    static let outcomeApproved = Phrase("approved: %1", "approuvées : %1")
    static let outcomeRejected = Phrase("rejected: %1", "rejetées : %1")
    static let outcomeReopened = Phrase("put back into the queue: %1", "remises dans la file : %1")
    static let outcomeDeleted = Phrase("deleted: %1", "supprimées : %1")
    static let outcomeNotFound = Phrase("no longer there: %1", "n’existent plus : %1")
    static let outcomeDecided = Phrase("already decided: %1", "déjà traitées : %1")
    static let outcomeNoNearest = Phrase("without a similar item: %1", "sans élément semblable : %1")
    static let outcomeAliases = Phrase(
        "not added, the item has too many aliases: %1", "non ajoutées, l’élément a trop d’alias : %1")
    static let outcomeItemChanged = Phrase(
        "not undone, the item was changed since: %1", "non annulées, l’élément a été modifié depuis : %1")
}

extension ConsoleWords {
    func name(_ status: SuggestionGroup.Status?) -> String {
        switch status {
        case .pending: self[.pending]
        case .approved: self[.approved]
        case .rejected: self[.rejected]
        case nil: self[.all]
        }
    }

    /// The status of one suggestion.
    func nameOfOne(_ status: SuggestionGroup.Status) -> String {
        switch status {
        case .pending: self[.statusPending]
        case .approved: self[.statusApproved]
        case .rejected: self[.statusRejected]
        }
    }

    func text(_ outcome: SuggestionOutcome, _ count: Int) -> String {
        let phrase: Phrase =
            switch outcome {
            case .approved: .outcomeApproved
            case .rejected: .outcomeRejected
            case .reopened: .outcomeReopened
            case .deleted: .outcomeDeleted
            case .notFound: .outcomeNotFound
            case .alreadyDecided: .outcomeDecided
            case .noNearestItem: .outcomeNoNearest
            case .tooManyAliases: .outcomeAliases
            case .itemChanged: .outcomeItemChanged
            }
        return text(phrase, number(Int64(count)))
    }
}
