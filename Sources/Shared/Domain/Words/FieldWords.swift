extension DisplayLanguage {
    /// Between a subject and what is said of it.
    package var colon: String { pick(": ", " : ") }
}

extension Fault {
    /// The field with its fault, as a refusal names it: `amount: Must be greater than 0.`
    ///
    /// - Parameter translated: the detail in the language.
    public func displayText(_ language: DisplayLanguage, translated: (String) -> String) -> String {
        FieldWords.name(pointer, language) + language.colon + translated(detail)
    }
}

/// What people call the fields of inputs. Their names in JSON stay as they are.
package enum FieldWords {
    /// `next charge` for `next_billing_on`. Columns of files, settings and what has no name of its own stay as written; of a
    /// path such as `people.name` or `line 3, Date` the parts are named one by one.
    package static func name(_ pointer: String, _ language: DisplayLanguage) -> String {
        if let (english, french) = words[pointer] { return language.pick(english, french) }
        if let comma = pointer.firstRange(of: ", ") {
            return name(String(pointer[..<comma.lowerBound]), language) + ", "
                + name(String(pointer[comma.upperBound...]), language)
        }
        if language == .french, pointer.hasPrefix("line ") { return "ligne " + pointer.dropFirst(5) }
        let parts = pointer.split(separator: ".", maxSplits: 1).map(String.init)
        if parts.count == 2, let (english, french) = words[parts[1]], words[parts[0]] != nil {
            return name(parts[0], language) + language.pick(", \(english)", ", \(french)")
        }
        return pointer
    }

    private static let words: [String: (String, String)] = [
        "id": ("id", "identifiant"), "name": ("name", "nom"), "title": ("title", "titre"),
        "amount": ("amount", "montant"), "currency": ("currency", "devise"), "cycle": ("cycle", "fréquence"),
        "next_billing_on": ("next charge", "prochaine échéance"), "anchor_on": ("first charge", "première échéance"),
        "started_on": ("first day", "premier jour"), "scope": ("scope", "usage"), "category": ("category", "catégorie"),
        "status": ("status", "statut"), "trial_starts_on": ("start of the trial", "début de l’essai"),
        "trial_ends_on": ("end of the trial", "fin de l’essai"),
        "trial_converts": ("charge after the trial", "prélèvement après l’essai"), "remind": ("reminders", "rappels"),
        "details": ("description", "description"), "notes": ("notes", "notes"), "website": ("website", "site"),
        "payment_method": ("payment method", "moyen de paiement"), "icon": ("icon", "icône"),
        "color": ("colour", "couleur"), "catalogue_item_id": ("catalogue item", "service du catalogue"),
        "contract_ends_on": ("end of the contract", "fin du contrat"),
        "minimum_months": ("minimum term", "durée minimale"), "extension_months": ("extension", "prolongation"),
        "notice_days": ("notice period", "préavis"), "ends_on": ("end", "fin"),
        "variable": ("variable amount", "montant variable"), "bundled_in": ("bundle", "offre groupée"),
        "replaced_by": ("replacement", "remplacement"), "email": ("email", "e-mail"), "phone": ("phone", "téléphone"),
        "emoji": ("emoji", "emoji"), "initials": ("initials", "initiales"), "photo": ("photo", "photo"),
        "person": ("person", "personne"), "people": ("people", "personnes"),
        "group": ("group", "groupe"), "groups": ("groups", "groupes"), "members": ("members", "membres"),
        "paid_by": ("paid by", "payé par"), "between": ("between", "entre"), "parts": ("parts", "parts"),
        "split": ("split", "partage"), "subtitle": ("subtitle", "sous-titre"), "tags": ("tags", "étiquettes"),
        "type": ("type", "type"), "on": ("date", "date"), "from": ("from", "à partir du"), "to": ("to", "à"),
        "since": ("since", "depuis"), "date": ("date", "date"), "day": ("day", "jour"), "month": ("month", "mois"),
        "year": ("year", "année"), "limit": ("limit", "limite"), "period": ("period", "période"),
        "begins": ("first day", "premier jour"),
        "rate": ("rate", "taux"), "file": ("file", "fichier"), "row": ("row", "ligne"), "map": ("map", "map"),
        "occurrence": ("charge", "échéance"), "subscription": ("subscription", "abonnement"),
        "expenses": ("expenses", "dépenses"), "transactions": ("transactions", "transactions"),
        "repayments": ("repayments", "remboursements"), "budgets": ("budgets", "budgets"), "me": ("me", "moi"),
        "prices": ("prices", "prix"), "states": ("states", "états"), "history": ("history", "historique"),
        "share": ("share", "partage"), "receipt": ("receipt", "justificatif"),
        "receipts": ("receipts", "justificatifs"),
        "passphrase": ("passphrase", "phrase secrète"), "command": ("command", "commande"),
        "text": ("text", "texte"), "value": ("value", "valeur"), "remove": ("remove", "retrait"),
        "group_id": ("group", "groupe"), "time": ("time", "heure"), "until": ("until", "jusqu’au"),
        "with": ("with", "avec"), "rates": ("rates", "taux"), "payers": ("payers", "payeurs"),
        "membership": ("membership", "appartenance"), "kind": ("kind", "type"), "item": ("item", "service"),
        "count": ("count", "nombre"), "content": ("content", "contenu"), "avatar_kind": ("avatar", "avatar"),
        "aliases": ("aliases", "autres noms"), "entry": ("entry", "entrée"),
    ]
}
