extension French {
    /// Balances and repayments.
    static let sharingMessages: [String: String] = [
        "bytes of the photo": "octets de la photo", "% photo added|% photos added": "% photo ajoutée|% photos ajoutées",
        "avatar": "image", "photo, %, % KiB": "photo, %, % Kio",
        "No photo was chosen.": "Aucune photo n'a été choisie.",
        "total": "total", "expenses": "dépenses", "notes on the share": "notes sur le partage",
        "% owes you % since %": "% te doit % depuis le %", "you owe % % since %": "tu dois à % % depuis le %",
        "you owe me % since %": "tu me dois % depuis le %", "I owe you % since %": "je te dois % depuis le %",
        "% owes % % since %": "% doit à % % depuis le %",
        "% row without effect skipped|% rows without effect skipped":
            "% ligne sans effet ignorée|% lignes sans effet ignorées",
        "Hi %, everything is settled between us.": "Bonjour %, nous sommes quittes.", "%:": "% :",
        "Hi %, %": "Bonjour %, %",
        "your part of what is shared": "ta part de ce qui est partagé",
        "in full; --net counts only your part": "en entier ; --net ne compte que ta part",
        "repayment": "remboursement",
        "% already known|% already known": "% déjà connu|% déjà connus",
        "% membership added|% memberships added": "% appartenance ajoutée|% appartenances ajoutées",
        "% part of a subscription added|% parts of subscriptions added":
            "% part d'abonnement ajoutée|% parts d'abonnements ajoutées",
        "% repayment added|% repayments added": "% remboursement ajouté|% remboursements ajoutés",
        "% exchange rate added|% exchange rates added": "% taux de change ajouté|% taux de change ajoutés",
        "% former person added|% former people added": "% ancienne personne ajoutée|% anciennes personnes ajoutées",
    ]

    static let sharingErrors: [String: String] = [
        "Nobody shares it yet; name the others first.":
            "Personne ne le partage encore ; nomme d'abord les autres.",
        "--split and --from require --with or --parts": "--split et --from demandent --with ou --parts",
        "Must be a PNG, JPEG or WebP file.": "Doit être un fichier PNG, JPEG ou WebP.",
        "Is damaged: not a whole image.": "Est endommagé : l'image n'est pas entière.",
        "Must have less than % KB; make it smaller first.": "Doit faire moins de % Ko ; réduis-la d'abord.",
        "Must have at most % pixels a side; make it smaller first.":
            "Doit avoir au plus % pixels de côté ; réduis-la d'abord.",
        "All photos together may have % MiB.": "Toutes les photos ensemble peuvent faire % Mio.",
        "No photo is stored.": "Aucune photo n'est enregistrée.",
        "--emoji, --initials and --photo cannot be combined": "--emoji, --initials et --photo ne vont pas ensemble",
        "Must be one emoji.": "Doit être un seul emoji.",
        "Must be 1 to 3 characters with a letter among them.":
            "Doit avoir 1 à 3 caractères, dont une lettre.",
        "You always bear a part yourself.": "Tu portes toujours une part toi-même.",
        "You cannot be deleted.": "Tu ne peux pas être supprimé.",
        "Something is open with this person; see `balance`. To delete anyway: --force.":
            "Un compte est ouvert avec cette personne ; voir `balance`. Pour supprimer quand même : --force.",
        "Must be another person.": "Doit être une autre personne.",
        "--message requires a person": "--message demande une personne",
        "--from requires --add or --remove": "--from demande --add ou --remove",
        "Somebody must remain in the group; to end it, delete it.":
            "Quelqu'un doit rester dans le groupe ; pour y mettre fin, supprime-le.",
        "Not a sheet of Spliit, Splitwise, Cospend or IHateMoney: the columns are unknown.":
            "Pas une feuille de Spliit, Splitwise, Cospend ou IHateMoney : colonnes inconnues.",
        "One person must have received an income.": "Une seule personne doit avoir reçu un revenu.",
        "Must be a whole number other than 0.": "Doit être un nombre entier autre que 0.",
        "Must not be 0.": "Ne doit pas être 0.", "Two people have the same name.": "Deux personnes ont le même nom.",
        "The rows do not add up to this balance.": "La somme des lignes ne donne pas ce solde.",
        "The cells must add up to 0.": "La somme des cellules doit être 0.",
        "The cells exceed the cost.": "Les cellules dépassent le montant.",
        "Not a sheet of Spliit: it has no expenses or participants.":
            "Pas une feuille de Spliit : sans expenses ni participants.",
        "Each must have its own id and name.": "Chacun doit avoir son id et son nom.",
        "Must be a currency code, such as EUR; or give --currency.":
            "Doit être un code de devise, comme EUR ; sinon donne --currency.",
        "Somebody must bear the cost.": "Quelqu'un doit porter la dépense.",
        "The file does not say who paid; a JSON export of Spliit does.":
            "Le fichier ne dit pas qui a payé ; un export JSON de Spliit le dit.",
        "Must be the id of a participant.": "Doit être l'id d'un participant.",
        "Must be one of EVENLY, BY_SHARES, BY_PERCENTAGE, BY_AMOUNT.":
            "Doit être EVENLY, BY_SHARES, BY_PERCENTAGE ou BY_AMOUNT.",
        "Several people have the name %.": "Plusieurs personnes s'appellent %.",
        "Must be a person of the sheet.": "Doit être une personne de la feuille.",
        "Must be an array of objects.": "Doit être un tableau d'objets.",
        "Must name person, from and member.": "Doit nommer person, from et member.",
    ]
}
