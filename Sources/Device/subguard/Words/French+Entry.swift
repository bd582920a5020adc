extension French {
    /// Quick entry, lists, pauses and prices.
    static let entryMessages: [String: String] = [
        "without a newer proof: until %": "sans preuve plus récente : jusqu'au %",
        "free: % subscriptions (you have %), built-in categories, reminders, budgets, sharing":
            "gratuit : % abonnements (tu en as %), catégories intégrées, rappels, budgets, partage",
        "free too: bank statements, JSON export, backups and merges":
            "gratuit aussi : relevés bancaires, export JSON, sauvegardes et fusions",
        "premium adds: more subscriptions, categories of your own":
            "premium ajoute : plus d'abonnements, tes propres catégories",
        "premium adds too: export as CSV, iCalendar and accounting text":
            "premium ajoute aussi : export en CSV, iCalendar et texte comptable",
        "bought and managed in the App Store: %": "s'achète et se gère dans l'App Store : %",
        "would have been added: %, % %, %": "aurait été ajouté : %, % %, %",
        "next": "prochaine", "status from": "statut à partir du", "until %": "jusqu'au %", "note: %": "note : %",
        "from the catalogue: %, %, %": "du catalogue : %, %, %",
        "similar in the catalogue: %; to link one: subguard edit \"%\" --catalogue-item SLUG":
            "semblables dans le catalogue : % ; pour en lier un : subguard edit \"%\" --catalogue-item SLUG",
        "next charge taken to be on %; to correct it: subguard edit \"%\" --next DAY":
            "prochaine échéance supposée le % ; pour la corriger : subguard edit \"%\" --next JOUR",
        "not in the catalogue; to suggest it: subguard suggest \"%\"":
            "absent du catalogue ; pour le proposer : subguard suggest \"%\"",
        "% is not in the catalogue. Suggest it? Only the name is sent, at the next sync. [y/n] ":
            "% n'est pas dans le catalogue. Le proposer ? Seul le nom est envoyé, à la prochaine synchronisation. [o/n] ",
        "Which one is %? Its number, or Enter for none: ": "Lequel est % ? Son numéro, ou Entrée pour aucun : ",
    ]

    static let entryErrors: [String: String] = [
        "Several services of the catalogue are similar. Choose one with --from-catalogue: %.":
            "Plusieurs services du catalogue sont semblables. Choisis-en un avec --from-catalogue : %.",
        "No price begins on that day.": "Aucun prix ne commence ce jour-là.",
        "The first price can be corrected, not removed.": "Le premier prix peut être corrigé, pas retiré.",
        "No pause begins on that day.": "Aucune pause ne commence ce jour-là.",
        "Must not be before the first day of the pause.": "Ne doit pas précéder le premier jour de la pause.",
        "--remove cannot be combined with --amount or --from": "--remove ne se combine pas avec --amount ni --from",
        "--remove cannot be combined with --from or --until": "--remove ne se combine pas avec --from ni --until",
        "--renewing must be from 0 to 3660 days": "--renewing doit aller de 0 à 3660 jours",
    ]
}
