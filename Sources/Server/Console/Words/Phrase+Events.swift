import Backend

/// Words of the event explorer.
extension Phrase {
    static let eventsLead = Phrase(
        "Raw events as devices sent them, by day.", "Les événements bruts envoyés par les appareils, par jour.")
    static let event = Phrase("Event", "Événement")
    static let eventsItem = Phrase("Service", "Service")
    static let eventsItemHint = Phrase("Name or id", "Nom ou id")
    static let eventsAll = Phrase("All events", "Tous les événements")
    static let eventsOther = Phrase("Other", "Autre")
    static let eventsNone = Phrase("Not given", "Non indiquée")
    static let eventsOne = Phrase("%1 event", "%1 événement")
    static let eventsMany = Phrase("%1 events", "%1 événements")
    static let eventsSummary = Phrase("%1 from %2 to %3.", "%1 du %2 au %3.")
    static let eventsFromLog = Phrase(
        "Counted in the database.", "Compté dans la base de données.")
    static let eventsFromHistory = Phrase(
        "Counted in the history (ClickHouse).", "Compté dans l’historique (ClickHouse).")
    static let eventsCompleteUntil = Phrase(
        "Everything received until %1.", "Tout ce qui a été reçu jusqu’au %1.")
    static let eventsRemoved = Phrase(
        "Incomplete before %1: older raw events may have been removed.",
        "Incomplet avant le %1 : des événements bruts plus anciens ont pu être supprimés.")
    static let eventsSinkAway = Phrase(
        "The history (ClickHouse) did not answer, so the events in the database were counted.",
        "L’historique (ClickHouse) n’a pas répondu : les événements de la base de données ont été comptés.")
    static let eventsTooMany = Phrase(
        "Counting took too long. Choose fewer days.", "Le comptage a pris trop de temps. Choisis moins de jours.")
    static let eventsBusy = Phrase(
        "Another count is running. Reload the page in a moment.",
        "Un autre comptage est en cours. Recharge la page dans un instant.")
    static let eventsDefinition = Phrase(
        "Accepted events, each once, by the day on which they happened (UTC). A service also has the events of services "
            + "merged into it.",
        "Événements acceptés, chacun une fois, selon le jour où ils ont eu lieu (UTC). Un service a aussi les événements "
            + "des services fusionnés avec lui.")
}

extension ConsoleWords {
    /// The name of a platform of ``EventSelection/platforms``.
    func platform(_ name: String) -> String {
        switch name {
        case "other": self[.eventsOther]
        case EventSelection.noPlatform: self[.eventsNone]
        default: name
        }
    }
}
