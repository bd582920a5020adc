public import SubGuardDomain

extension DisplayLanguage {
    fileprivate func pick(_ english: String, _ french: String) -> String { self == .french ? french : english }
}

extension JournalEntry {
    /// A plain description: `Netflix: price €15.99 from 2027-01-01`.
    public func displayText(_ language: DisplayLanguage) -> String {
        let said = said(language)
        guard let name = details.name, !name.isEmpty else { return said }
        return subject(name, language) + language.colon + said
    }

    /// Scopes, categories, settings and the owner have names of their own in each language.
    private func subject(_ name: String, _ language: DisplayLanguage) -> String {
        switch kind {
        case .budgetSet, .budgetDeleted:
            if let scope = SubscriptionScope(rawValue: name) { return scope.displayName(language) }
            return (try? SubscriptionCategory(name))?.displayName(language) ?? name
        case .settingSet: return UserSetting(rawValue: name)?.displayName(language) ?? name
        case .repaymentSaved, .repaymentDeleted, .personSaved, .photoSet: return Person.myName(name, language)
        default: return name
        }
    }

    private func said(_ language: DisplayLanguage) -> String {
        let day = details.on?.displayName(language) ?? "–"
        switch kind {
        case .subscriptionAdded: return language.pick("added", "ajouté") + amount(language)
        case .subscriptionEdited: return edited(language)
        case .subscriptionDeleted: return language.pick("deleted", "supprimé")
        case .priceSet:
            let price = language.pick("price", "prix") + amount(language) + from(language)
            return details.removed > 0 ? price + language.pick(" removed", " retiré") : price
        case .stateSet where details.removed > 0:
            return stateTakenBack(language)
        case .stateSet:
            let state: String =
                switch details.state {
                case .paused: language.pick("paused", "en pause")
                case .cancelled: language.pick("cancelled", "résilié")
                case .active: language.pick("active", "actif")
                case nil: language.pick("state changed", "état modifié")
                }
            return state + from(language)
        case .chargeConfirmed where details.changed > 1:
            return language.pick("\(details.changed) charges confirmed", "\(details.changed) échéances confirmées")
        case .chargeSkipped where details.changed > 1:
            return language.pick("\(details.changed) charges skipped", "\(details.changed) échéances non prélevées")
        case .chargeConfirmed:
            return language.pick("charge of \(day) confirmed", "échéance du \(day) confirmée")
        case .chargeSkipped: return language.pick("charge of \(day) skipped", "échéance du \(day) non prélevée")
        case .chargePaid: return language.pick("charge of \(day) paid", "échéance du \(day) payée") + amount(language)
        case .personSaved: return saved(language, "person", "personne", isFeminine: true)
        case .photoSet: return language.pick("photo set", "photo choisie")
        case .personDeleted: return language.pick("person deleted", "personne supprimée")
        case .shareSaved: return language.pick("sharing changed", "partage modifié")
        case .groupSaved: return saved(language, "group", "groupe")
        case .groupDeleted: return language.pick("group deleted", "groupe supprimé")
        case .expenseSaved: return saved(language, "expense", "dépense", isFeminine: true) + amount(language)
        case .expenseDeleted: return language.pick("expense deleted", "dépense supprimée")
        case .transactionSaved:
            return saved(language, "transaction", "transaction", isFeminine: true) + amount(language)
        case .transactionDeleted: return language.pick("transaction deleted", "transaction supprimée")
        case .budgetSet: return language.pick("budget", "budget") + amount(language)
        case .budgetDeleted: return language.pick("budget deleted", "budget supprimé")
        case .rateSet:
            return language.pick("exchange rate", "taux de change")
                + (details.value.map { " " + language.pick($0, $0.replacing(".", with: ",")) } ?? "")
                + from(language)
        case .receiptAdded: return language.pick("receipt added", "justificatif ajouté")
        case .receiptDeleted: return language.pick("receipt deleted", "justificatif supprimé")
        case .repaymentSaved:
            return saved(language, "repayment", "remboursement") + amount(language)
        case .repaymentDeleted: return language.pick("repayment deleted", "remboursement supprimé")
        case .settingSet where details.changed > 1:
            return language.pick("\(details.changed) settings changed", "\(details.changed) réglages modifiés")
        case .settingSet:
            guard let value = details.value else { return language.pick("default", "valeur par défaut") }
            return details.name.flatMap { UserSetting(rawValue: $0) }?.displayText(value, language) ?? value
        case .imported: return language.pick("import", "import") + counts(language)
        case .statementImported: return language.pick("bank statement", "relevé bancaire") + counts(language)
        case .merged: return language.pick("merge", "fusion") + counts(language)
        case .restored: return language.pick("restored backup", "sauvegarde restaurée") + counts(language)
        }
    }

    private func amount(_ language: DisplayLanguage) -> String {
        details.amount.map { " " + $0.formatted(AmountStyle(language)) } ?? ""
    }

    private func from(_ language: DisplayLanguage) -> String {
        details.on.map { language.pick(" from ", " à partir du ") + $0.displayName(language) } ?? ""
    }

    /// A pause or a cancellation that no longer holds.
    private func stateTakenBack(_ language: DisplayLanguage) -> String {
        switch details.state {
        case .paused: language.pick("pause", "pause") + from(language) + language.pick(" removed", " retirée")
        case .cancelled:
            language.pick("cancellation", "résiliation") + from(language) + language.pick(" taken back", " annulée")
        case .active, nil: language.pick("state changed", "état modifié")
        }
    }

    private func saved(
        _ language: DisplayLanguage, _ english: String, _ french: String, isFeminine: Bool = false
    ) -> String {
        let ending = isFeminine ? "e" : ""
        return details.added > 0
            ? language.pick("\(english) added", "\(french) ajouté\(ending)")
            : language.pick("\(english) changed", "\(french) modifié\(ending)")
    }

    private func edited(_ language: DisplayLanguage) -> String {
        let fields = details.fields.map { FieldWord.name($0, language) }.joined(separator: ", ")
        return fields.isEmpty
            ? language.pick("changed", "modifié") : language.pick("\(fields) changed", "modification (\(fields))")
    }

    private func counts(_ language: DisplayLanguage) -> String {
        var all: [String] = []
        let named = [
            (details.subscriptions, ("subscription", "abonnement")), (details.charges, ("charge", "échéance")),
        ]
        for (count, (english, french)) in named where count > 0 {
            all.append("\(count) \(language.pick(english, french))\(count > 1 ? "s" : "")")
        }
        let parts = [
            (
                details.added - details.subscriptions - details.charges,
                language.pick("added", "ajoutée")
            ),
            (details.changed, language.pick("changed", "modifiée")),
            (details.removed, language.pick("removed", "retirée")),
        ].filter { $0.0 > 0 }
        for (count, what) in parts {
            let rows = count == 1 ? language.pick("entry", "entrée") : language.pick("entries", "entrées")
            all.append("\(count) \(rows) \(what)" + (count > 1 ? language.pick("", "s") : ""))
        }
        guard !all.isEmpty else { return "" }
        return language.colon + all.joined(separator: ", ")
    }
}

extension JournalRest {
    /// `Netflix: notes`, or what kind of row it is.
    public func displayText(_ language: DisplayLanguage) -> String {
        let what = field.map { FieldWord.name($0, language) } ?? FieldWord.row(table, language)
        let subject = name.map { UserSetting(rawValue: $0)?.displayName(language) ?? $0 }
        return subject.map { $0 + language.colon + what } ?? what
    }
}

/// What people call the registers and rows of the tables.
private enum FieldWord {
    static func name(_ register: String, _ language: DisplayLanguage) -> String {
        switch register {
        case "name", "title": language.pick("name", "nom")
        case "price", "amount", "limit": language.pick("amount", "montant")
        case "schedule": language.pick("billing days", "échéances")
        case "entry": language.pick("start", "début")
        case "trial": language.pick("trial", "essai")
        case "contract": language.pick("contract", "contrat")
        case "is_variable": language.pick("variable amount", "montant variable")
        case "details", "subtitle": language.pick("details", "description")
        case "catalogue_item_id": language.pick("catalogue link", "lien au catalogue")
        case "fate": language.pick("confirmation", "confirmation")
        case "paid": language.pick("amount paid", "montant payé")
        case "state": language.pick("state", "état")
        case "rate": language.pick("exchange rate", "taux de change")
        case "avatar": language.pick("picture", "image")
        case "split", "parts": language.pick("sharing", "partage")
        default: FieldWords.name(register, language)
        }
    }

    static func row(_ table: String, _ language: DisplayLanguage) -> String {
        switch table {
        case "subscriptions": language.pick("subscription", "abonnement")
        case "prices": language.pick("price", "prix")
        case "states": language.pick("state", "état")
        case "ledger": language.pick("charge", "échéance")
        case "shares": language.pick("sharing", "partage")
        case "people": language.pick("person", "personne")
        case "groups": language.pick("group", "groupe")
        case "group_members": language.pick("group member", "membre de groupe")
        case "expenses": language.pick("expense", "dépense")
        case "transactions": "transaction"
        case "receipts": language.pick("receipt", "justificatif")
        case "person_photos": "photo"
        case "budgets": "budget"
        case "memberships": language.pick("membership", "appartenance")
        case "share_periods": language.pick("share of a subscription", "part d’un abonnement")
        case "repayments": language.pick("repayment", "remboursement")
        case "former_people": language.pick("former person", "ancienne personne")
        case "own_rates": language.pick("exchange rate", "taux de change")
        default: language.pick("setting", "réglage")
        }
    }
}
