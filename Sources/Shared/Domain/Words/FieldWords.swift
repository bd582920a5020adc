extension DisplayLanguage {
    /// Between a subject and what is said of it.
    package var colon: String { text(": ") }
}

extension Fault {
    /// The field with its fault, for the user, on one line: `amount: Must be greater than 0.` Names out of files, such
    /// as columns, have no control characters. What is of no field is the sentence alone.
    public func displayText(_ language: DisplayLanguage) -> String {
        guard !pointer.isEmpty else { return displayDetail(language) }
        return FieldWords.name(RefusedBooking.shownPath(pointer), language) + language.colon + displayDetail(language)
    }

    /// The fault alone, for a place beside its field: `Must be greater than 0.`
    public func displayDetail(_ language: DisplayLanguage) -> String { language.sentence(detail) }
}

/// What people call the fields of inputs. Their names in JSON stay as they are.
package enum FieldWords {
    /// `next charge` for `next_billing_on`. Columns of files, settings and what has no name of its own stay as written;
    /// of a path such as `people.name` or `line 3, Date` the parts are named one by one.
    package static func name(_ pointer: String, _ language: DisplayLanguage) -> String {
        if let word = words[pointer] { return language.text(word) }
        if let comma = pointer.firstRange(of: ", ") {
            return name(String(pointer[..<comma.lowerBound]), language) + ", "
                + name(String(pointer[comma.upperBound...]), language)
        }
        if pointer.hasPrefix("line ") { return language.text("line \(String(pointer.dropFirst(5)))") }
        let parts = pointer.split(separator: ".", maxSplits: 1).map(String.init)
        if parts.count == 2, let word = words[parts[1]], words[parts[0]] != nil {
            return name(parts[0], language) + ", " + language.text(word)
        }
        return pointer
    }

    private static let words: [String: Sentence] = [
        "id": "id", "name": "name", "title": "title", "amount": "amount", "currency": "currency", "cycle": "cycle",
        "next_billing_on": "next charge", "anchor_on": "first charge", "started_on": "first day", "scope": "scope",
        "category": "category", "status": "status", "cancels_on": "cancellation",
        "trial_starts_on": "start of the trial", "trial_ends_on": "end of the trial",
        "trial_converts": "charge after the trial", "remind": "reminders",
        "details": "description", "notes": "notes", "website": "website", "payment_method": "payment method",
        "icon": "icon", "color": "colour", "catalogue_item_id": "catalogue item",
        "contract_ends_on": "end of the contract", "minimum_months": "minimum term", "extension_months": "extension",
        "notice_days": "notice period", "ends_on": "end", "variable": "variable amount", "bundled_in": "bundle",
        "replaced_by": "replacement", "email": "email", "phone": "phone", "emoji": "emoji", "initials": "initials",
        "photo": "photo", "person": "person", "people": "people", "group": "group", "groups": "groups",
        "members": "members", "paid_by": "paid by", "between": "between", "parts": "parts", "split": "split",
        "subtitle": "subtitle", "tags": "tags", "type": "type", "on": "date", "from": "from", "to": "to",
        "since": "since", "date": "date", "day": "day", "month": "month", "year": "year", "limit": "limit",
        "period": "period", "begins": "first day", "rate": "rate", "file": "file", "row": "row", "map": "map",
        "occurrence": "charge", "subscription": "subscription", "expenses": "expenses",
        "transactions": "transactions", "repayments": "repayments", "budgets": "budgets", "me": "me",
        "prices": "prices", "states": "states", "history": "history", "share": "share", "receipt": "receipt",
        "receipts": "receipts", "passphrase": "passphrase", "command": "command", "text": "text", "value": "value",
        "remove": "remove", "group_id": "group", "time": "time", "until": "until", "with": "with", "rates": "rates",
        "payers": "payers", "membership": "membership", "kind": "kind", "item": "item", "count": "count",
        "content": "content", "avatar_kind": "avatar", "aliases": "aliases", "entry": "entry",
    ]
}
