import TextCoding

/// Which column of a table is which field.
public struct ImportColumns: Sendable, Hashable {
    /// By column; nil for those that are passed over.
    public var fields: [SubscriptionField?]

    /// Names that headers of other programs and other languages use, folded.
    private static let aliases: [String: SubscriptionField] = [
        "nom": .name, "service": .name, "subscription": .name, "abonnement": .name, "title": .name,
        "montant": .amount, "price": .amount, "prix": .amount, "cost": .amount, "cout": .amount,
        "devise": .currency, "frequency": .cycle, "frequence": .cycle, "billing cycle": .cycle, "periodicite": .cycle,
        "schedule": .cycle, "payment cycle": .cycle, "next": .nextBillingOn, "next billing": .nextBillingOn,
        "next billing date": .nextBillingOn, "next payment": .nextBillingOn, "renewal date": .nextBillingOn,
        "next renewal": .nextBillingOn, "next renewal date": .nextBillingOn, "prochaine echeance": .nextBillingOn,
        "echeance": .nextBillingOn, "date": .nextBillingOn, "categorie": .category, "statut": .status,
        "state": .status, "url": .website, "site": .website, "note": .notes, "moyen de paiement": .paymentMethod,
        "description": .details, "trial ends": .trialEndsOn, "reminders": .remind, "rappels": .remind,
    ]

    /// - Parameter mapping: column names that the user mapped; they go before what is guessed.
    public init(header: [String], mapping: [String: SubscriptionField] = [:]) throws(InvalidField) {
        let mapping = Dictionary(mapping.map { (TextFolding.fold($0.key), $0.value) }) { first, _ in first }
        let known = Dictionary(SubscriptionField.allCases.map { (TextFolding.fold($0.rawValue), $0) }) { first, _ in
            first
        }
        fields = header.map { name in
            let folded = TextFolding.fold(name)
            return mapping[folded] ?? known[folded] ?? Self.aliases[folded]
        }
        var seen: Set<SubscriptionField> = []
        for field in fields.compactMap({ $0 }) where !seen.insert(field).inserted {
            throw InvalidField(field: field.rawValue, code: "duplicate", detail: "Two columns hold it.")
        }
        for name in mapping.keys where !header.contains(where: { TextFolding.fold($0) == name }) {
            throw InvalidField(field: "map", code: "invalid_format", detail: "No column has the name that was mapped.")
        }
        for field in [SubscriptionField.name, .amount] where !seen.contains(field) {
            throw InvalidField(field: field.rawValue, code: "required", detail: "No column holds it.")
        }
    }

    /// The row's fields; empty ones are left out.
    public func draft(_ row: [String]) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        for (field, text) in zip(fields, row) {
            let text = SpreadsheetText.unguarded(CatalogueRules.trimmed(text))
            if let field, !text.isEmpty { draft[field] = text }
        }
        return draft
    }
}

extension Currency {
    /// Whether people also write this sign for it: a dollar sign for all that are called dollar or peso.
    fileprivate func shares(_ sign: String) -> Bool {
        if symbol.hasSuffix(sign) { return true }
        switch sign {
        case "$":
            return [
                "ARS", "AUD", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "CLP", "COP", "CUP", "DOP", "FJD", "GYD", "HKD",
                "JMD", "KYD", "LRD", "MXN", "NAD", "NZD", "SBD", "SGD", "SRD", "TTD", "TWD", "UYU", "XCD",
            ].contains(code)
        case "£": return ["EGP", "FKP", "GIP", "LBP", "SHP", "SSP", "SYP"].contains(code)
        case "¥": return code == "CNY"
        default: return false
        }
    }
}

extension Dictionary where Key == SubscriptionField, Value == String {
    /// The same with amounts, cycles and days as people write them turned into what the wire has.
    ///
    /// - Parameters:
    ///   - currency: for rows that name none.
    ///   - today: the billing day of rows that have none.
    public func normalised(currency: Currency?, today: CalendarDay) throws(InvalidField) -> SubscriptionDraft {
        var draft = self
        if let text = self[.amount] {
            guard let read = AmountText.read(text) else {
                throw InvalidField(field: "amount", code: "invalid_amount", detail: "Must be an amount such as 13.49.")
            }
            draft[.amount] = read.decimal
            if let own = self[.currency].flatMap({ Currency(code: $0.uppercased()) }), let named = read.currency,
                own != named, text.uppercased().contains(named.code) || !own.shares(named.symbol)
            {
                throw InvalidField(
                    field: "currency", code: "invalid_format", detail: "Must be the one that stands with the amount.")
            }
            if self[.currency] == nil { draft[.currency] = (read.currency ?? currency)?.code }
        }
        if let text = self[.currency] { draft[.currency] = text.uppercased() }
        if let text = self[.cycle] { draft[.cycle] = CycleText.wire(text) ?? text }
        for field in [SubscriptionField.nextBillingOn, .trialEndsOn, .contractEndsOn, .endsOn] {
            if let text = self[field] { draft[field] = DayText.iso(text) ?? text }
        }
        return draft
    }
}
