public import SubGuardDomain

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
        case .subscriptionAdded: return language.text("added") + amount(language)
        case .subscriptionEdited: return edited(language)
        case .subscriptionDeleted: return language.text("deleted")
        case .priceSet:
            let price = language.text("price") + amount(language) + from(language)
            return details.removed > 0 ? price + language.text(" removed") : price
        case .stateSet where details.removed > 0:
            return stateTakenBack(language)
        case .stateSet:
            let state: String =
                switch details.state {
                case .paused: language.text("paused")
                case .cancelled: language.text("cancelled")
                case .active: language.text("active")
                case nil: language.text("state changed")
                }
            return state + from(language)
        case .chargeConfirmed where details.changed > 1:
            return language.text("\(details.changed) charges confirmed")
        case .chargeSkipped where details.changed > 1:
            return language.text("\(details.changed) charges skipped")
        case .chargeConfirmed:
            return language.text("charge of \(day) confirmed")
        case .chargeSkipped: return language.text("charge of \(day) skipped")
        case .chargePaid: return language.text("charge of \(day) paid") + amount(language)
        case .personSaved: return saved(language, "person added", "person changed")
        case .photoSet: return language.text("photo set")
        case .personDeleted: return language.text("person deleted")
        case .shareSaved: return language.text("sharing changed")
        case .groupSaved: return saved(language, "group added", "group changed")
        case .groupDeleted: return language.text("group deleted")
        case .expenseSaved: return saved(language, "expense added", "expense changed") + amount(language)
        case .expenseDeleted: return language.text("expense deleted")
        case .transactionSaved:
            return saved(language, "transaction added", "transaction changed") + amount(language)
        case .transactionDeleted: return language.text("transaction deleted")
        case .budgetSet: return language.text("budget") + amount(language)
        case .budgetDeleted: return language.text("budget deleted")
        case .rateSet:
            return language.text("exchange rate")
                + (details.value.map { " " + language.decimal($0) } ?? "")
                + from(language)
        case .receiptAdded: return language.text("receipt added")
        case .receiptDeleted: return language.text("receipt deleted")
        case .repaymentSaved:
            return saved(language, "repayment added", "repayment changed") + amount(language)
        case .repaymentDeleted: return language.text("repayment deleted")
        case .settingSet where details.changed > 1:
            return language.text("\(details.changed) settings changed")
        case .settingSet:
            guard let value = details.value else { return language.text("default") }
            return details.name.flatMap { UserSetting(rawValue: $0) }?.displayText(value, language) ?? value
        case .imported: return language.text("import") + counts(language)
        case .statementImported: return language.text("bank statement") + counts(language)
        case .merged: return language.text("merge") + counts(language)
        case .restored: return language.text("restored backup") + counts(language)
        }
    }

    private func amount(_ language: DisplayLanguage) -> String {
        details.amount.map { " " + $0.formatted(AmountStyle(language)) } ?? ""
    }

    private func from(_ language: DisplayLanguage) -> String {
        details.on.map { language.text(" from \($0.displayName(language))") } ?? ""
    }

    /// A pause or a cancellation that no longer holds.
    private func stateTakenBack(_ language: DisplayLanguage) -> String {
        switch details.state {
        case .paused: language.text("pause\(from(language)) removed")
        case .cancelled:
            language.text("cancellation\(from(language)) taken back")
        case .active, nil: language.text("state changed")
        }
    }

    private func saved(_ language: DisplayLanguage, _ added: Sentence, _ changed: Sentence) -> String {
        language.text(details.added > 0 ? added : changed)
    }

    private func edited(_ language: DisplayLanguage) -> String {
        let fields = details.fields.map { FieldWord.name($0, language) }.joined(separator: ", ")
        return fields.isEmpty
            ? language.text("changed") : language.text("\(fields) changed")
    }

    private func counts(_ language: DisplayLanguage) -> String {
        let (subscriptions, charges) = (details.subscriptions, details.charges)
        let (added, changed, removed) = (
            details.added - subscriptions - charges, details.changed, details.removed
        )
        let parts: [(Int, Sentence)] = [
            (subscriptions, "\(subscriptions) subscription|\(subscriptions) subscriptions"),
            (charges, "\(charges) charge|\(charges) charges"),
            (added, "\(added) entry added|\(added) entries added"),
            (changed, "\(changed) entry changed|\(changed) entries changed"),
            (removed, "\(removed) entry removed|\(removed) entries removed"),
        ]
        let said = parts.filter { $0.0 > 0 }.map { language.text($0.1) }
        return said.isEmpty ? "" : language.colon + said.joined(separator: ", ")
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
        case "name", "title": language.text("name")
        case "price", "amount", "limit": language.text("amount")
        case "schedule": language.text("billing days")
        case "entry": language.text("start")
        case "trial": language.text("trial")
        case "contract": language.text("contract")
        case "is_variable": language.text("variable amount")
        case "details", "subtitle": language.text("details")
        case "catalogue_item_id": language.text("catalogue link")
        case "fate": language.text("confirmation")
        case "paid": language.text("amount paid")
        case "state": language.text("state")
        case "rate": language.text("exchange rate")
        case "avatar": language.text("picture")
        case "split", "parts": language.text("sharing")
        default: FieldWords.name(register, language)
        }
    }

    static func row(_ table: String, _ language: DisplayLanguage) -> String {
        switch table {
        case "subscriptions": language.text("subscription")
        case "prices": language.text("price")
        case "states", "cancellations": language.text("state")
        case "ledger": language.text("charge")
        case "shares": language.text("sharing")
        case "people": language.text("person")
        case "groups": language.text("group")
        case "group_members": language.text("group member")
        case "expenses": language.text("expense")
        case "transactions": "transaction"
        case "receipts": language.text("receipt")
        case "person_photos": "photo"
        case "budgets": "budget"
        case "memberships": language.text("membership")
        case "share_periods": language.text("share of a subscription")
        case "repayments": language.text("repayment")
        case "former_people": language.text("former person")
        case "own_rates": language.text("exchange rate")
        default: language.text("setting")
        }
    }
}
