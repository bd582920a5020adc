import Backend

/// Crash groups and releases.
extension Phrase {
    static let crashes = Phrase("Crashes", "Plantages")
    static let crashesLead = Phrase(
        "Crash reports with the same cause, grouped. A resolved group opens again when it crashes later.",
        "Rapports de plantage de même cause, regroupés. Un groupe résolu se rouvre s’il plante plus tard.")
    static let crashOpen = Phrase("Open", "Ouverts")
    static let crashResolved = Phrase("Resolved", "Résolus")
    static let crashIgnored = Phrase("Ignored", "Ignorés")
    static let crashAll = Phrase("All", "Tous")
    static let crashIsOpen = Phrase("Open", "Ouvert")
    static let crashIsResolved = Phrase("Resolved", "Résolu")
    static let crashIsIgnored = Phrase("Ignored", "Ignoré")
    static let crashReopened = Phrase("came back", "réapparu")
    static let crashLatest = Phrase("Latest report", "Rapport le plus récent")
    static let crashNewest = Phrase("Newest group", "Groupe le plus récent")
    static let crashMost = Phrase("Most reports", "Le plus de rapports")
    static let crashAnyPlatform = Phrase("Any platform", "Toutes les plateformes")
    static let crashRelease = Phrase("Release", "Version")
    static let crashReleases = Phrase("Releases", "Versions")
    static let crashGroup = Phrase("Group", "Groupe")
    static let crashTrend = Phrase("Last 30 days", "30 derniers jours")
    static let crashReports = Phrase("Reports", "Rapports")
    static let crashOneReport = Phrase("%1 report", "%1 rapport")
    static let crashManyReports = Phrase("%1 reports", "%1 rapports")
    static let crashFirstSeen = Phrase("First seen", "Première fois")
    static let crashLastSeen = Phrase("Last seen", "Dernière fois")
    static let crashSince = Phrase("since %1", "depuis le %1")
    static let crashNoRelease = Phrase("without a release", "sans version")
    static let crashLeftAsChanged = Phrase(
        "Left as somebody else decided meanwhile: %1.",
        "Laissés tels qu’une autre personne l’a décidé entre-temps : %1.")
    static let crashMoreReleases = Phrase("and %1 more", "et %1 de plus")
    static let crashNone = Phrase("No crash groups here", "Aucun groupe de plantages ici")
    static let crashNoneHint = Phrase(
        "Choose another status or clear the filters. Devices report crashes to /api/v1/crashes or with a Sentry SDK.",
        "Choisis un autre statut ou efface les filtres. Les appareils signalent les plantages à /api/v1/crashes ou avec "
            + "un SDK Sentry.")
    static let crashShownOf = Phrase("%1 of %2 shown", "%1 sur %2 affichés")
    static let crashClear = Phrase("Clear filters", "Effacer les filtres")

    // The overview.
    static let openCrashOne = Phrase("%1 open crash group", "%1 groupe de plantages ouvert")
    static let openCrashMany = Phrase("%1 open crash groups", "%1 groupes de plantages ouverts")

    // Decisions.
    static let crashWithSelected = Phrase("With the selected groups", "Avec les groupes sélectionnés")
    static let crashSelectedOne = Phrase("%1 selected", "%1 sélectionné")
    static let crashSelectedMany = Phrase("%1 selected", "%1 sélectionnés")
    static let crashResolve = Phrase("Resolve", "Résoudre")
    static let crashIgnore = Phrase("Ignore", "Ignorer")
    static let crashReopen = Phrase("Reopen", "Rouvrir")
    static let crashDelete = Phrase("Delete…", "Supprimer…")
    static let crashOutcomeResolved = Phrase("resolved: %1", "résolus : %1")
    static let crashOutcomeIgnored = Phrase("ignored: %1", "ignorés : %1")
    static let crashOutcomeReopened = Phrase("reopened: %1", "rouverts : %1")
    static let crashOutcomeDeleted = Phrase("deleted: %1", "supprimés : %1")
    static let crashOutcomeNotFound = Phrase("no longer there: %1", "n’existent plus : %1")
    static let crashUndoOne = Phrase("Undo for %1 group", "Annuler pour %1 groupe")
    static let crashUndoMany = Phrase("Undo for %1 groups", "Annuler pour %1 groupes")
    static let crashUndo = Phrase("Undo", "Annuler")
    static let crashNow = Phrase("The group is now “%1”.", "Le groupe est maintenant « %1 ».")
    static let crashChangedMeanwhile = Phrase(
        "Nothing was changed: meanwhile, the group became “%1”. Decide again.",
        "Rien n’a été modifié : entre-temps, le groupe est passé à « %1 ». Décide à nouveau.")
    static let crashConfirmOne = Phrase("Delete %1 crash group?", "Supprimer %1 groupe de plantages ?")
    static let crashConfirmMany = Phrase("Delete %1 crash groups?", "Supprimer %1 groupes de plantages ?")
    static let crashConfirmLead = Phrase(
        "This deletes %1 with releases and trends. It cannot be undone. A further report of the same fault makes a new "
            + "group.",
        "Cela supprime %1 avec versions et courbes. C’est irréversible. Un nouveau rapport du même défaut créera un "
            + "nouveau groupe.")
    static let crashConfirmButton = Phrase("Delete for good", "Supprimer définitivement")
    static let crashCancel = Phrase("Cancel", "Annuler")
    static let crashDeletedNotice = Phrase("The group was deleted.", "Le groupe a été supprimé.")

    // One group.
    static let crashLevel = Phrase("Level", "Niveau")
    static let crashDecided = Phrase("Decided", "Décidé le")
    static let crashCameBack = Phrase("Came back", "Réapparu le")
    static let crashPlotTitle = Phrase("Reports by day", "Rapports par jour")
    static let crashPlotSummary = Phrase(
        "Reports from %1 to %2: %3 in all, at most %4 on a day.",
        "Rapports du %1 au %2 : %3 en tout, au plus %4 en un jour.")
    static let crashSamples = Phrase("Stored reports", "Rapports conservés")
    static let crashSamplesHint = Phrase(
        "The newest reports and the first one. Only fields of an allow-list are stored, without personal data.",
        "Les rapports les plus récents et le premier. Seuls les champs d’une liste autorisée sont conservés, sans donnée "
            + "personnelle.")
    static let crashNoSamples = Phrase("No report is stored.", "Aucun rapport n’est conservé.")
    static let crashStack = Phrase("Stack, innermost frame first", "Pile, appel le plus interne d’abord")
    static let crashFunction = Phrase("Function", "Fonction")
    static let crashFile = Phrase("File", "Fichier")
    static let crashOwnCode = Phrase("own code", "code de l’app")
    static let crashUnhandled = Phrase("not handled", "non gérée")
    static let crashHandled = Phrase("handled", "gérée")
    static let crashDevice = Phrase("Device", "Appareil")
    static let crashSystem = Phrase("System", "Système")
    static let crashApp = Phrase("App", "Application")
    static let crashEnvironment = Phrase("Environment", "Environnement")
    static let crashRuntime = Phrase("Runtime", "Moteur d’exécution")
    static let crashReporter = Phrase("Reported with", "Signalé avec")
    static let crashRaw = Phrase("The report as it is stored (JSON)", "Le rapport tel que conservé (JSON)")
    static let crashHistory = Phrase("Decisions", "Décisions")
    static let crashNoHistory = Phrase("Nobody has decided on it yet.", "Personne n’a encore décidé.")
    static let crashHistoryWhen = Phrase("When", "Quand")
    static let crashHistoryWho = Phrase("Who", "Qui")
    static let crashHistoryWhat = Phrase("What", "Quoi")

    // Releases.
    static let crashReleasesTitle = Phrase("Crash-free sessions by release", "Sessions sans plantage par version")
    static let crashReleasesLead = Phrase(
        "The share of sessions without a crash, and where each release first appeared.",
        "La part des sessions sans plantage, et la première apparition de chaque version.")
    static let crashRateTitle = Phrase("Crash-free sessions by day", "Sessions sans plantage par jour")
    static let crashRateSummary = Phrase(
        "Crash-free sessions from %1 to %2: lowest %3, highest %4, last finished day %5.",
        "Sessions sans plantage du %1 au %2 : minimum %3, maximum %4, dernier jour complet %5.")
    static let crashRateEmpty = Phrase(
        "No sessions were reported from %1 to %2.", "Aucune session signalée du %1 au %2.")
    static let crashAxisNote = Phrase("The axis begins at %1.", "L’axe commence à %1.")
    static let crashMarkersNote = Phrase(
        "Vertical lines: first appearance of a release.", "Traits verticaux : première apparition d’une version.")
    static let crashSessions = Phrase("Sessions", "Sessions")
    static let crashCrashed = Phrase("Crashed", "Plantées")
    static let crashFreeShare = Phrase("Crash-free", "Sans plantage")
    static let crashThirtyDays = Phrase(
        "Sessions of the last 30 days, reports of all stored groups.",
        "Sessions des 30 derniers jours, rapports de tous les groupes conservés.")
    static let crashNoReleases = Phrase("No releases yet", "Aucune version pour l’instant")
    static let crashNoReleasesHint = Phrase(
        "Releases appear with the first crash report or session count that names one.",
        "Les versions apparaissent avec le premier rapport ou décompte de sessions qui en nomme une.")
    static let crashWithSelectedReleases = Phrase("With the selected releases", "Avec les versions sélectionnées")
    static let crashReleasesSelectedOne = Phrase("%1 selected", "%1 sélectionnée")
    static let crashReleasesSelectedMany = Phrase("%1 selected", "%1 sélectionnées")
    static let crashConfirmReleaseOne = Phrase("Delete %1 release?", "Supprimer %1 version ?")
    static let crashConfirmReleaseMany = Phrase("Delete %1 releases?", "Supprimer %1 versions ?")
    static let crashConfirmReleasesLead = Phrase(
        "Their sessions no longer count in the crash-free rate, and their crash reports count under “(other)”. This "
            + "cannot be undone. Use it for releases that somebody invented.",
        "Leurs sessions ne comptent plus dans le taux sans plantage, et leurs rapports passent sous « (other) ». C’est "
            + "irréversible. À réserver aux versions inventées.")
    static let crashReleasesDeleted = Phrase("Releases deleted: %1.", "Versions supprimées : %1.")
    static let crashReleasesGone = Phrase("No longer there: %1.", "N’existent plus : %1.")
}

extension ConsoleWords {
    /// The heading of the groups with a status; nil for all.
    func name(_ status: CrashStatus?) -> String {
        switch status {
        case .open: self[.crashOpen]
        case .resolved: self[.crashResolved]
        case .ignored: self[.crashIgnored]
        case nil: self[.crashAll]
        }
    }

    /// The status of one group.
    func singular(_ status: CrashStatus) -> String {
        switch status {
        case .open: self[.crashIsOpen]
        case .resolved: self[.crashIsResolved]
        case .ignored: self[.crashIsIgnored]
        }
    }

    func name(_ action: CrashAction) -> String {
        switch action {
        case .resolve: self[.crashResolve]
        case .ignore: self[.crashIgnore]
        case .reopen: self[.crashReopen]
        case .delete: self[.crashDelete]
        }
    }

    func text(_ outcome: CrashOutcome, _ count: Int) -> String {
        let phrase: Phrase =
            switch outcome {
            case .resolved: .crashOutcomeResolved
            case .ignored: .crashOutcomeIgnored
            case .reopened: .crashOutcomeReopened
            case .deleted: .crashOutcomeDeleted
            case .notFound: .crashOutcomeNotFound
            }
        return text(phrase, number(Int64(count)))
    }

    func reports(_ count: Int64) -> String { self.count(count, one: .crashOneReport, many: .crashManyReports) }
}
