import Backend
import SubGuardDomain

/// The catalogue: list, item, history, duplicates, import.
extension Phrase {
    static let catalogueLead = Phrase(
        "The services that devices offer when somebody adds a subscription.",
        "Les services que les appareils proposent à l’ajout d’un abonnement.")
    static let newItem = Phrase("New item", "Nouvel élément")
    static let allItems = Phrase("All", "Tous")
    static let withLogo = Phrase("With logo", "Avec logo")
    static let withoutLogo = Phrase("Without logo", "Sans logo")
    static let category = Phrase("Category", "Catégorie")
    static let everyCategory = Phrase("Every category", "Toutes les catégories")
    static let currency = Phrase("Currency", "Devise")
    static let everyCurrency = Phrase("Every currency", "Toutes les devises")
    static let cycle = Phrase("Billing cycle", "Périodicité")
    static let everyCycle = Phrase("Every cycle", "Toutes")
    static let itemPrice = Phrase("Price", "Prix")
    static let itemUpdated = Phrase("Changed", "Modifié le")
    static let orderBest = Phrase("Best match", "Meilleure correspondance")
    static let orderName = Phrase("Name, A to Z", "Nom, A à Z")
    static let orderNameDown = Phrase("Name, Z to A", "Nom, Z à A")
    static let orderCategory = Phrase("Category", "Catégorie")
    static let orderSlug = Phrase("Slug", "Slug")
    static let orderUpdated = Phrase("Last changed", "Derniers modifiés")
    static let bestShownOne = Phrase("%1 match, also with a typo", "%1 correspondance, faute de frappe comprise")
    static let bestShownMany = Phrase(
        "The %1 best matches, also those with a typo",
        "Les %1 meilleures correspondances, fautes de frappe comprises")
    static let itemsShownOf = Phrase("%1 of %2 items shown", "%1 éléments sur %2")
    static let catalogueEmpty = Phrase("The catalogue is empty", "Le catalogue est vide")
    static let catalogueEmptyHint = Phrase(
        "Add an item with New item, or import a CSV or JSON file with Import.",
        "Ajoute un élément avec Nouvel élément, ou importe un fichier CSV ou JSON avec Importer.")
    static let noItems = Phrase("No item matches", "Aucun élément ne correspond")
    static let noItemsHint = Phrase(
        "Clear the search or a filter, add an item, or import a file.",
        "Efface la recherche ou un filtre, ajoute un élément, ou importe un fichier.")
    static let duplicates = Phrase("Duplicates", "Doublons")
    static let importFile = Phrase("Import", "Importer")
    static let logos = Phrase("Logos", "Logos")
    static let exportAll = Phrase("Export everything", "Tout exporter")
    static let backToList = Phrase("Back to the list", "Retour à la liste")

    // The item.
    static let slug = Phrase("Slug", "Slug")
    static let slugHint = Phrase(
        "Lower-case words joined by hyphens; unique. Imports and logos find items by it.",
        "Mots en minuscules reliés par des traits d’union ; unique. Les imports et les logos s’en servent.")
    static let slugNewHint = Phrase("Left empty, it is made from the name.", "Laissé vide, il est tiré du nom.")
    static let categoryHint = Phrase("Lower-case letters, digits, underscores.", "Minuscules, chiffres, tirets bas.")
    static let typicalPrice = Phrase("Typical price", "Prix courant")
    static let typicalPriceHint = Phrase("Of the most common plan.", "De l’offre la plus courante.")
    static let cycleHint = Phrase(
        "A word such as monthly or yearly, or every:18m (d, w, m, y).",
        "Un mot comme monthly ou yearly, ou every:18m (d, w, m, y).")
    static let website = Phrase("Website", "Site web")
    static let cancelPage = Phrase("Page to cancel", "Page de résiliation")
    static let noticeDays = Phrase("Notice period in days", "Préavis en jours")
    static let aliases = Phrase("Aliases", "Alias")
    static let aliasesHint = Phrase(
        "Other names by which a search finds the item, one on each line.",
        "Autres noms par lesquels une recherche trouve l’élément, un par ligne.")
    static let addItem = Phrase("Add the item", "Ajouter l’élément")
    static let newItemLead = Phrase(
        "Devices receive it with their next synchronisation.",
        "Les appareils le reçoivent à leur prochaine synchronisation.")
    static let readOnly = Phrase(
        "Your role may read the catalogue, not change it.", "Ton rôle peut lire le catalogue, pas le modifier.")
    static let itemSaved = Phrase(
        "Saved. Devices receive it with their next synchronisation.",
        "Enregistré. Les appareils le reçoivent à leur prochaine synchronisation.")
    static let itemCreated = Phrase("The item was added.", "L’élément est ajouté.")
    static let itemUndone = Phrase("The former state is restored.", "L’état antérieur est rétabli.")
    static let itemUnmerged = Phrase(
        "The merge is undone: all its items are back, with their aliases and suggestions.",
        "La fusion est annulée : tous ses éléments sont revenus, avec leurs alias et suggestions.")
    static let itemGoneHistory = Phrase("What became of the item", "Ce qu’il est advenu de l’élément")
    static let itemMergedNotice = Phrase(
        "Merged. The old id leads to this item now.", "Fusionnés. L’ancien identifiant mène désormais ici.")
    static let undoDelete = Phrase("Undo the deletion", "Annuler la suppression")
    static let deleteItem = Phrase("Delete", "Supprimer")
    static let deleteNamed = Phrase("Delete %1?", "Supprimer %1 ?")
    static let deleteLead = Phrase(
        "This item leaves the catalogue, and devices remove it with their next synchronisation. Subscriptions that "
            + "people track stay. You can undo this, from the notice that follows or from the history.",
        "L’élément quitte le catalogue, et les appareils le retirent à leur prochaine synchronisation. Les abonnements "
            + "suivis restent. C’est annulable, depuis l’avis qui suit ou depuis l’historique.")
    static let deleteNow = Phrase("Delete %1", "Supprimer %1")
    static let changedMeanwhile = Phrase(
        "The item was changed meanwhile. This is its present state; check it before you go on.",
        "L’élément a été modifié entre-temps. Voici son état actuel ; vérifie-le avant de continuer.")
    static let goneDeleted = Phrase("This item was deleted.", "Cet élément a été supprimé.")
    static let goneMerged = Phrase(
        "This item was merged into another one.", "Cet élément a été fusionné avec un autre.")
    static let openMerged = Phrase("Open the item it was merged into", "Ouvrir l’élément issu de la fusion")
    static let itemFacts = Phrase("Details", "Détails")
    static let itemID = Phrase("Id", "Identifiant")
    static let itemRevision = Phrase("Revision", "Révision")

    // Logo.
    static let logo = Phrase("Logo", "Logo")
    static let logoOf = Phrase("Logo of %1", "Logo de %1")
    static let logoHint = Phrase(
        "PNG, JPEG or WebP, less than 500 kB, at most 1024 pixels a side.",
        "PNG, JPEG ou WebP, moins de 500 ko, 1024 pixels de côté au plus.")
    static let logoNone = Phrase(
        "No logo: these initials stand in its place.", "Sans logo : ces initiales le remplacent.")
    static let logoFile = Phrase("Image file", "Fichier image")
    static let logoDrop = Phrase("Drop an image here, or paste one.", "Dépose une image ici, ou colle-la.")
    static let logoPreview = Phrase("Preview", "Aperçu")
    static let logoUpload = Phrase("Upload", "Téléverser")
    static let logoRemove = Phrase("Remove the logo", "Retirer le logo")
    static let logoSaved = Phrase("The logo is set.", "Le logo est en place.")
    static let logoRemoved = Phrase(
        "The logo was removed. The history can bring it back.", "Le logo est retiré. L’historique peut le rétablir.")

    // Many logos.
    static let logosLead = Phrase(
        "Upload many logos at once: netflix.png becomes the logo of the item with the slug netflix.",
        "Téléverse plusieurs logos d’un coup : netflix.png devient le logo de l’élément au slug netflix.")
    static let logosFiles = Phrase("Image files", "Fichiers image")
    static let logosDrop = Phrase("Drop images here, or paste them.", "Dépose des images ici, ou colle-les.")
    static let logosHint = Phrase(
        "PNG, JPEG or WebP, each less than 500 kB and at most 1024 pixels a side; 32 MiB together. A logo that is "
            + "there is replaced; the history of the item can bring it back.",
        "PNG, JPEG ou WebP, chacun moins de 500 ko et 1024 pixels de côté au plus ; 32 Mio ensemble. Un logo présent "
            + "est remplacé ; l’historique de l’élément peut le rétablir.")
    static let logosMissing = Phrase("Choose image files first.", "Choisis d’abord des fichiers image.")
    static let logosMissingOne = Phrase("%1 item without a logo", "%1 élément sans logo")
    static let logosMissingMany = Phrase("%1 items without a logo", "%1 éléments sans logo")
    static let logosDone = Phrase("%1 of %2 logos set.", "%1 logos sur %2 en place.")
    static let logosResult = Phrase("Result", "Résultat")
    static let logosSet = Phrase("logo set", "logo en place")
    static let logosNoItem = Phrase("No item has the slug %1.", "Aucun élément n’a le slug %1.")

    // History.
    static let itemHistory = Phrase("History", "Historique")
    static let itemHistoryLead = Phrase(
        "The changes of this item, newest first.", "Les modifications, de la plus récente à la plus ancienne.")
    static let itemChange = Phrase("Change", "Modification")
    static let changedWhen = Phrase("When", "Quand")
    static let changedBy = Phrase("By", "Par")
    static let undoChange = Phrase("Undo", "Annuler")
    static let undoChangeNamed = Phrase(
        "Undo: restore the state before change %1", "Annuler : rétablir l’état d’avant la modification %1")
    static let olderChanges = Phrase("Older changes", "Modifications antérieures")
    static let changedField = Phrase("Field", "Champ")
    static let valueBefore = Phrase("Before", "Avant")
    static let valueAfter = Phrase("After", "Après")
    static let actionInsert = Phrase("Created", "Création")
    static let actionUpdate = Phrase("Edited", "Modification")
    static let actionDelete = Phrase("Deleted", "Suppression")
    static let actionLogo = Phrase("Logo", "Logo")
    static let actionMerge = Phrase("Took in a duplicate", "Fusion d’un doublon")
    static let actionMerged = Phrase("Merged into another item", "Fusionné avec un autre élément")
    static let actionUndo = Phrase("Undo", "Annulation")
    static let actionImport = Phrase("Import", "Import")

    // Duplicates.
    static let duplicatesLead = Phrase(
        "Pairs of items with similar names or the same website, most similar first.",
        "Paires d’éléments aux noms proches ou au même site, des plus semblables aux moins semblables.")
    static let noDuplicates = Phrase("No likely duplicates", "Aucun doublon probable")
    static let noDuplicatesHint = Phrase(
        "Lower the score to see pairs that resemble each other less.",
        "Baisse le score pour voir des paires moins semblables.")
    static let pairsShownOf = Phrase("%1 of %2 pairs shown", "%1 paires sur %2")
    static let likeness = Phrase("Score", "Score")
    static let likenessFrom = Phrase("From %1", "Dès %1")
    static let itemPair = Phrase("Items", "Éléments")
    static let likenessWhy = Phrase("Why", "Motif")
    static let compare = Phrase("Compare", "Comparer")
    static let compareNamed = Phrase("Compare %1 and %2", "Comparer %1 et %2")
    static let sameName = Phrase("same name", "même nom")
    static let similarName = Phrase("similar name", "nom proche")
    static let sameWebsite = Phrase("same website", "même site")
    static let mergeTitle = Phrase("Merge two items", "Fusionner deux éléments")
    static let mergeLead = Phrase(
        "Choose the item that stays and, for each field, the value that it gets. Names and aliases of both stay as "
            + "aliases; approved suggestions and the ranking follow. The id of the other one leads to the item that "
            + "stays, on devices too.",
        "Choisis l’élément qui reste et, pour chaque champ, la valeur à garder. Les noms et alias des deux deviennent "
            + "des alias ; suggestions approuvées et classement suivent. L’identifiant de l’autre mène à celui qui "
            + "reste, sur les appareils aussi.")
    static let stays = Phrase("Stays", "Reste")
    static let keepThis = Phrase("Keep %1 and its id", "Garder %1 et son identifiant")
    static let sameInBoth = Phrase("same in both", "identique")
    static let merge = Phrase("Merge", "Fusionner")
    static let notDuplicates = Phrase("Back: they are different", "Retour : ils sont différents")

    // Import.
    static let importLead = Phrase(
        "A CSV or JSON file as the export writes it. Items are found by their slug; nothing is ever deleted.",
        "Un fichier CSV ou JSON tel que l’export l’écrit. Les éléments sont retrouvés par leur slug ; rien n’est "
            + "supprimé.")
    static let importFileLabel = Phrase("File", "Fichier")
    static let importFileHint = Phrase(
        "At most 32 MiB and 100,000 rows. The columns may be in any order.",
        "32 Mio et 100 000 lignes au plus. Les colonnes peuvent être dans n’importe quel ordre.")
    static let importSkip = Phrase(
        "Skip rows with errors instead of refusing the file",
        "Ignorer les lignes erronées au lieu de refuser le fichier")
    static let importCheck = Phrase("Check the file", "Vérifier le fichier")
    static let importCheckHint = Phrase(
        "Nothing is changed yet: the next page shows what would happen.",
        "Rien n’est encore modifié : la page suivante montre ce qui se passerait.")
    static let importNow = Phrase("Import it now", "Importer maintenant")
    static let importAgain = Phrase(
        "The file is too large to keep in this page. Choose it again to import it.",
        "Le fichier est trop gros pour rester dans cette page. Choisis-le à nouveau pour l’importer.")
    static let importDirect = Phrase("Import without a check", "Importer sans vérification")
    static let importChecked = Phrase(
        "Result of the check: nothing was changed", "Résultat de la vérification : rien n’est modifié")
    static let importApplied = Phrase("The file was imported", "Le fichier est importé")
    static let importRefused = Phrase(
        "The file was refused: nothing was changed", "Fichier refusé : rien n’est modifié")
    static let importRows = Phrase("Rows", "Lignes")
    static let importInserted = Phrase("New items", "Nouveaux éléments")
    static let importUpdated = Phrase("Changed items", "Éléments modifiés")
    static let importUnchanged = Phrase("Unchanged", "Inchangés")
    static let importFailed = Phrase("Rows with errors", "Lignes erronées")
    static let importRow = Phrase("Row", "Ligne")
    static let importProblem = Phrase("Problem", "Problème")
    static let importIgnoredColumns = Phrase(
        "Columns that are not known were ignored: %1", "Les colonnes inconnues ont été ignorées : %1")
    static let importMoreFailed = Phrase("%1 further rows have errors.", "%1 autres lignes comportent des erreurs.")

    // Cycles.
    static let cycleDaily = Phrase("daily", "par jour")
    static let cycleWeekly = Phrase("weekly", "par semaine")
    static let cycleBiweekly = Phrase("every 2 weeks", "toutes les 2 semaines")
    static let cycleMonthly = Phrase("monthly", "par mois")
    static let cycleQuarterly = Phrase("quarterly", "par trimestre")
    static let cycleSemiAnnual = Phrase("every 6 months", "par semestre")
    static let cycleYearly = Phrase("yearly", "par an")
    static let cycleLifetime = Phrase("once", "une fois")
    static let everyDays = Phrase("every %1 days", "tous les %1 jours")
    static let everyWeeks = Phrase("every %1 weeks", "toutes les %1 semaines")
    static let everyMonths = Phrase("every %1 months", "tous les %1 mois")
    static let everyYears = Phrase("every %1 years", "tous les %1 ans")
}

extension ConsoleWords {
    /// 13.49 EUR, 13,49 EUR.
    func money(_ money: Money) -> String {
        let decimal = language == .french ? money.decimal.replacing(".", with: ",") : money.decimal
        return "\(decimal)\u{A0}\(money.currency.code)"
    }

    func name(_ cycle: BillingCycle) -> String {
        switch cycle {
        case .daily: self[.cycleDaily]
        case .weekly: self[.cycleWeekly]
        case .biweekly: self[.cycleBiweekly]
        case .monthly: self[.cycleMonthly]
        case .quarterly: self[.cycleQuarterly]
        case .semiAnnual: self[.cycleSemiAnnual]
        case .yearly: self[.cycleYearly]
        case .lifetime: self[.cycleLifetime]
        case .every(let interval), .afterPayment(let interval):
            switch interval.unit {
            case .days: text(.everyDays, "\(interval.count)")
            case .weeks: text(.everyWeeks, "\(interval.count)")
            case .months: text(.everyMonths, "\(interval.count)")
            case .years: text(.everyYears, "\(interval.count)")
            }
        }
    }

    func name(_ reason: CatalogueDuplicate.Reason) -> String {
        switch reason {
        case .sameName: self[.sameName]
        case .similarName: self[.similarName]
        case .sameWebsite: self[.sameWebsite]
        }
    }

    /// The name of a change of an item; that of a newer version of the program as it is stored.
    func catalogueAction(_ action: String) -> String {
        let names: [String: Phrase] = [
            "catalogue.insert": .actionInsert, "catalogue.update": .actionUpdate, "catalogue.delete": .actionDelete,
            "catalogue.logo": .actionLogo, "catalogue.merge": .actionMerge, "catalogue.merged": .actionMerged,
            "catalogue.undo": .actionUndo, "catalogue.import": .actionImport,
        ]
        return names[action].map { self[$0] } ?? action
    }
}
