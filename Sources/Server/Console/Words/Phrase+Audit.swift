import Backend

/// The audit log.
extension Phrase {
    static let audit = Phrase("Audit", "Audit")
    static let auditLead = Phrase(
        "Every change with its author, newest first. Rows are never altered: each hash covers the row before.",
        "Chaque modification et son auteur, la plus récente d’abord. Les lignes ne changent jamais : chaque hachage "
            + "couvre la ligne précédente.")
    static let auditVerify = Phrase("Verify the chain", "Vérifier la chaîne")
    static let auditVerifyCost = Phrase(
        "Reads all %1 rows and recomputes their hashes.", "Lit les %1 lignes et recalcule leurs hachages.")
    static let auditIntact = Phrase(
        "The chain is intact: %1 rows verified.", "La chaîne est intacte : %1 lignes vérifiées.")
    static let auditBroken = Phrase("The chain is broken at row %1: %2", "La chaîne est rompue à la ligne %1 : %2")
    static let auditBrokenHint = Phrase(
        "Rows from there on cannot be trusted. Compare with a backup.",
        "Les lignes à partir de là ne sont pas fiables. Compare avec une sauvegarde.")
    static let auditBusy = Phrase(
        "Another verification is running. Try again in a moment.",
        "Une autre vérification est en cours. Réessaie dans un instant.")
    static let auditAltered = Phrase("the row or its hash was changed.", "la ligne ou son hachage a été modifié.")
    static let auditMissing = Phrase("the row is missing.", "la ligne manque.")
    static let auditMalformed = Phrase(
        "the row has a format that this program never writes.", "la ligne a un format que ce programme n’écrit jamais.")
    static let auditHeadDiffers = Phrase("rows are missing at the end.", "des lignes manquent à la fin.")

    static let auditActor = Phrase("Author", "Auteur")
    static let auditAction = Phrase("Action", "Action")
    static let auditSubject = Phrase("Subject", "Objet")
    static let auditSubjectID = Phrase("Subject (id)", "Objet (identifiant)")
    static let auditTokenID = Phrase("Token (id)", "Jeton (identifiant)")
    static let auditWhen = Phrase("Time", "Date")
    static let auditChanged = Phrase("Changed fields", "Champs modifiés")
    static let auditClear = Phrase("Clear", "Effacer")
    static let auditCaption = Phrase("Times in UTC. Rows in all: %1.", "Heures en UTC. Lignes au total : %1.")
    static let auditEmpty = Phrase("No rows match", "Aucune ligne ne correspond")
    static let auditEmptyHint = Phrase(
        "Widen the days, or clear a filter. The author’s name is matched with its case.",
        "Élargis les jours, ou efface un filtre. Le nom de l’auteur respecte la casse.")
    static let auditShown = Phrase("%1 shown", "%1 affichées")
    static let auditNewest = Phrase("Newest", "Les plus récentes")
    static let auditOlder = Phrase("Older", "Plus anciennes")

    static let auditRow = Phrase("Audit row %1", "Ligne d’audit %1")
    static let auditNumber = Phrase("Row", "Ligne")
    static let auditBack = Phrase("The audit log", "Le journal d’audit")
    static let auditBefore = Phrase("Previous row", "Ligne précédente")
    static let auditAfter = Phrase("Next row", "Ligne suivante")
    static let auditRequest = Phrase("Request", "Requête")
    static let auditHash = Phrase("Hash", "Hachage")
    static let auditOfActor = Phrase("all of this token", "tout de ce jeton")
    static let auditOfSubject = Phrase("all of this subject", "tout de cet objet")
    static let auditDiffCaption = Phrase(
        "The state before and after; changed fields say so.", "L’état avant et après ; les champs modifiés l’indiquent."
    )
    static let auditNoState = Phrase("This action records no state.", "Cette action n’enregistre aucun état.")
    static let auditField = Phrase("Field", "Champ")
    static let auditWas = Phrase("Before", "Avant")
    static let auditIs = Phrase("After", "Après")
    static let auditState = Phrase("state", "état")
    static let auditAdded = Phrase("added", "ajouté")
    static let auditRemoved = Phrase("removed", "supprimé")
    static let auditDiffers = Phrase("changed", "modifié")
}

extension ConsoleWords {
    func name(_ reason: AuditVerification.Break.Reason) -> String {
        switch reason {
        case .altered: self[.auditAltered]
        case .missing: self[.auditMissing]
        case .malformed: self[.auditMalformed]
        case .headDiffers: self[.auditHeadDiffers]
        }
    }

    /// The action in words; its own text for one of another version.
    func name(_ action: String) -> String {
        guard let action = AuditAction(rawValue: action) else { return action }
        let phrase: Phrase =
            switch action {
            case .catalogueInsert: Phrase("Item added", "Élément ajouté")
            case .catalogueUpdate: Phrase("Item changed", "Élément modifié")
            case .catalogueDelete: Phrase("Item deleted", "Élément supprimé")
            case .catalogueLogo: Phrase("Logo changed", "Logo modifié")
            case .catalogueMerge: Phrase("Items merged", "Éléments fusionnés")
            case .catalogueMerged: Phrase("Item merged into another", "Élément fusionné dans un autre")
            case .catalogueUndo: Phrase("Change of an item undone", "Modification d’un élément annulée")
            case .catalogueImport: Phrase("Item imported", "Élément importé")
            case .suggestionApprove: Phrase("Suggestion approved", "Suggestion approuvée")
            case .suggestionReject: Phrase("Suggestion rejected", "Suggestion rejetée")
            case .suggestionReopen: Phrase("Suggestion reopened", "Suggestion rouverte")
            case .suggestionDelete: Phrase("Suggestion deleted", "Suggestion supprimée")
            case .tokenCreate: Phrase("Token created", "Jeton créé")
            case .tokenRevoke: Phrase("Token revoked", "Jeton révoqué")
            case .tokenRotate: Phrase("Token replaced", "Jeton remplacé")
            case .tokenRole: Phrase("Role by OpenID Connect", "Rôle par OpenID Connect")
            case .roleReplace: Phrase("Roles changed", "Rôles modifiés")
            case .premiumGrant: Phrase("Premium given to an account", "Premium donné à un compte")
            case .premiumRevoke: Phrase("Given premium taken back", "Premium donné retiré")
            case .consoleSignIn: Phrase("Console: signed in", "Console : connexion")
            case .consoleSignInRefused: Phrase("Console: sign-in refused", "Console : connexion refusée")
            case .consoleSignOut: Phrase("Console: signed out", "Console : déconnexion")
            case .consoleSessionEnd: Phrase("Console: session ended", "Console : session terminée")
            case .consolePasskeyAdd: Phrase("Console: passkey added", "Console : clé d’accès ajoutée")
            case .consolePasskeyRemove: Phrase("Console: passkey removed", "Console : clé d’accès retirée")
            case .crashResolve: Phrase("Crash resolved", "Plantage résolu")
            case .crashIgnore: Phrase("Crash ignored", "Plantage ignoré")
            case .crashReopen: Phrase("Crash reopened", "Plantage rouvert")
            case .crashDelete: Phrase("Crash deleted", "Plantage supprimé")
            case .crashDeleteRelease: Phrase("Crashes of a release deleted", "Plantages d’une version supprimés")
            case .crashPart: Phrase("Crash groups parted", "Groupes de plantages séparés")
            case .crashSymbolsAdd: Phrase("Symbols added", "Symboles ajoutés")
            case .crashSymbolsRemove: Phrase("Symbols removed", "Symboles retirés")
            case .alertsTest: Phrase("Alert channel tested", "Canal d’alerte testé")
            case .alertsResend: Phrase("Alert sent again", "Alerte renvoyée")
            case .alertsThresholds: Phrase("Alert thresholds changed", "Seuils d’alerte modifiés")
            case .alertsRule: Phrase("Alert rule changed", "Règle d’alerte modifiée")
            case .eventsExport: Phrase("Events exported", "Événements exportés")
            case .figuresDiscard: Phrase("Discard of events begun", "Suppression d’événements commencée")
            case .figuresDiscarded: Phrase("Events discarded", "Événements supprimés")
            case .figuresRebuild: Phrase("Rebuild of figures begun", "Recalcul des chiffres commencé")
            case .figuresRebuilt: Phrase("Figures rebuilt", "Chiffres recalculés")
            case .figuresZone: Phrase("Time zone of figures changed", "Fuseau horaire des chiffres modifié")
            case .storeBackup: Phrase("Backup made", "Sauvegarde faite")
            case .storeDownload: Phrase("Backup downloaded", "Sauvegarde téléchargée")
            case .storeDrill: Phrase("Backup verified", "Sauvegarde vérifiée")
            case .storeRestore: Phrase("Database restored", "Base restaurée")
            }
        return self[phrase]
    }
}
