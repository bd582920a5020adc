extension French {
    /// Quick entry, lists, pauses and prices.
    static let entryMessages: [String: String] = [
        "Without --passphrase-file it is read as it is.":
            "Sans --passphrase-file, elle est lue telle quelle.",
        "Set SUBGUARD_PASSPHRASE or use --passphrase-file.":
            "Définis SUBGUARD_PASSPHRASE ou utilise --passphrase-file.",
        "To see what there is: subguard %": "Pour voir ce qui existe : subguard %", "currency": "devise",
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
        "given by the operator of your server": "donné par l'exploitant de ton serveur",
        "account %: by this id the operator of your server finds it":
            "compte % : l'exploitant de ton serveur le trouve par cet identifiant",
        "would have been added: %, % %": "aurait été ajouté : %, % %",
        "bundled": "inclus", "ends %": "fin %", "next": "prochaine", "status from": "statut à partir du",
        "until %": "jusqu'au %",
        "note: %": "note : %",
        "similar in the catalogue: %; to add one: subguard add --from-catalogue SLUG":
            "semblables dans le catalogue : % ; pour en ajouter un : subguard add --from-catalogue SLUG",
        "the catalogue is %": "le catalogue est %", "built in, of %": "intégré, du %",
        "from the catalogue: %, %, %": "du catalogue : %, %, %",
        "similar in the catalogue: %; to link one: subguard edit % --catalogue-item SLUG":
            "semblables dans le catalogue : % ; pour en lier un : subguard edit % --catalogue-item SLUG",
        "next charge taken to be on %; to correct it: subguard edit % --next DAY":
            "prochaine échéance supposée le % ; pour la corriger : subguard edit % --next JOUR",
        "not in the catalogue; to suggest it: subguard suggest %":
            "absent du catalogue ; pour le proposer : subguard suggest %",
        "% is not in the catalogue. Suggest it? Only the name is sent, at the next sync. [y/n] ":
            "% n'est pas dans le catalogue. Le proposer ? Seul le nom est envoyé, à la prochaine synchronisation. [o/n] ",
        "Which one is %? Its number, or Enter for none: ": "Lequel est % ? Son numéro, ou Entrée pour aucun : ",
    ]

    static let entryErrors: [String: String] = [
        "missing: %. For example: subguard add \"% 13.49 €/month\"":
            "il manque : %. Par exemple : subguard add \"% 13,49 €/mois\"",
        "A date looks like 2027-01-15, 15 January or tomorrow.":
            "Une date s'écrit par exemple 15/01/2027, 15 janvier ou demain.",
        "A month looks like 2027-01.": "Un mois s'écrit par exemple 2027-01.",
        "A year looks like 2027.": "Une année s'écrit par exemple 2027.",
        "A whole number is expected.": "Un nombre entier est attendu.",
        "% is ambiguous: use a longer name or one of these ids":
            "% est ambigu : donne un nom plus long ou l'un de ces identifiants",
        // The system and the database
        "No such file or directory": "fichier ou dossier inexistant", "Permission denied": "permission refusée",
        "Is a directory": "c'est un dossier", "Not a directory": "ce n'est pas un dossier",
        "No space left on device": "plus de place sur le disque", "Read-only file system": "disque en lecture seule",
        "Operation not permitted": "opération non permise", "Input/output error": "erreur d'entrée-sortie",
        "Exec format error": "ce n'est pas un programme",
        "the file is damaged or no SubGuard database; restore a backup or choose another file":
            "le fichier est endommagé ou n'est pas une base SubGuard ; restaure une sauvegarde ou choisis un autre fichier",
        "another program keeps it locked; try again": "un autre programme la verrouille ; réessaie",
        "the disk is full": "le disque est plein",
        "it cannot be opened; check the path and its permissions":
            "ouverture impossible ; vérifie le chemin et ses permissions",
        "Several services of the catalogue are similar. Choose one with --from-catalogue: %.":
            "Plusieurs services du catalogue sont semblables. Choisis-en un avec --from-catalogue : %.",
        "It is cancelled on that day. Resume it first.": "résilié ce jour-là ; lance d'abord `subguard resume`",
        "Nothing to confirm. Name a charge with its day, as `upcoming` shows it.":
            "rien à confirmer ; nomme une échéance avec son jour, comme l'affiche `upcoming`",
        "the name of the file is missing": "le nom du fichier manque",
        "No price begins on that day.": "aucun prix ne commence ce jour-là",
        "The first price can be corrected, not removed.": "le premier prix peut être corrigé, pas retiré",
        "No pause begins on that day.": "aucune pause ne commence ce jour-là",
        "Must not be before the first day of the pause.": "ne doit pas précéder le premier jour de la pause",
        "--remove cannot be combined with --amount or --from": "--remove ne se combine pas avec --amount ni --from",
        "--remove cannot be combined with --from or --until": "--remove ne se combine pas avec --from ni --until",
        "--renewing must be from 0 to 3660 days": "--renewing doit aller de 0 à 3660 jours",
    ]
}
