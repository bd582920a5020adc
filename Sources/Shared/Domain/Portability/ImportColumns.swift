import TextCoding

/// Maps CSV columns to fields.
public struct ImportColumns: Sendable, Hashable {
    /// The field of each column; nil for ignored columns.
    public var fields: [SubscriptionField?]

    /// Column names of other programs and languages, folded.
    private static let aliases: [String: SubscriptionField] = [
        "nom": .name, "service": .name, "subscription": .name, "abonnement": .name, "title": .name,
        "montant": .amount, "price": .amount, "prix": .amount, "cost": .amount, "cout": .amount,
        "devise": .currency, "frequency": .cycle, "frequence": .cycle, "billing cycle": .cycle, "periodicite": .cycle,
        "schedule": .cycle, "payment cycle": .cycle, "next": .nextBillingOn, "next billing": .nextBillingOn,
        "next billing date": .nextBillingOn, "next payment": .nextBillingOn, "renewal date": .nextBillingOn,
        "next renewal": .nextBillingOn, "next renewal date": .nextBillingOn, "prochaine echeance": .nextBillingOn,
        "prochaine": .nextBillingOn, "next charge": .nextBillingOn,
        "echeance": .nextBillingOn, "date": .nextBillingOn, "categorie": .category, "portee": .scope,
        "usage": .scope, "statut": .status,
        "state": .status, "url": .website, "site": .website, "note": .notes, "moyen de paiement": .paymentMethod,
        "description": .details, "trial ends": .trialEndsOn, "trial starts": .trialStartsOn,
        "start date": .startedOn, "started": .startedOn, "start": .startedOn, "debut": .startedOn,
        "reminders": .remind, "rappels": .remind,
    ]

    /// Recognises the fields by the names in a header; `mapping`, fields by column name, takes precedence. Throws when
    /// a name of `mapping` is not in the header, a field has two columns, or the name or the amount has none.
    public init(header: [String], mapping: [String: SubscriptionField] = [:]) throws(Fault) {
        self.init(recognising: header, mapping)
        try requireOnce()
        let given = mapping.keys.map { TextFolding.fold($0) }
        for name in given where !header.contains(where: { TextFolding.fold($0) == name }) {
            throw Fault(
                "map", .unknownField, "No column is named \"\(name)\"; found: \(Self.shown(header)).")
        }
        try requireFields(header)
    }

    /// - Parameter fields: chosen for each column; nil for ignored columns. Not checked.
    public init(fields: [SubscriptionField?]) { self.fields = fields }

    /// What the names of columns stand for, whether that is enough or not.
    public init(recognising header: [String], _ mapping: [String: SubscriptionField] = [:]) {
        let mapping = Dictionary(mapping.map { (TextFolding.fold($0.key), $0.value) }) { first, _ in first }
        let known = Dictionary(SubscriptionField.allCases.map { (TextFolding.fold($0.rawValue), $0) }) { first, _ in
            first
        }
        fields = header.map { name in
            let folded = TextFolding.fold(name)
            return mapping[folded] ?? known[folded] ?? Self.aliases[folded]
        }
    }

    /// Throws when a field has two columns, or the name or the amount has none.
    public func checked() throws(Fault) -> ImportColumns {
        try requireOnce()
        try requireFields([])
        return self
    }

    private func requireOnce() throws(Fault) {
        var seen: Set<SubscriptionField> = []
        for field in fields.compactMap({ $0 }) where !seen.insert(field).inserted {
            throw Fault(
                field.rawValue, .duplicate,
                "More than one column recognised as this field. Use --map COLUMN=\(field.rawValue).")
        }
    }

    private func requireFields(_ header: [String]) throws(Fault) {
        for field in [SubscriptionField.name, .amount] where !fields.contains(field) {
            throw Fault(
                field.rawValue, .required,
                """
                No column recognised as the \(field.rawValue); found: \(Self.shown(header)). Use --map \
                COLUMN=\(field.rawValue).
                """
            )
        }
    }

    /// The first columns of a file as they can be shown on a line: it may be no table at all.
    private static func shown(_ header: [String]) -> String {
        header.prefix(30).map { RefusedBooking.shown($0) }.joined(separator: ", ") + (header.count > 30 ? ", …" : "")
    }

    /// The fields of a row; empty ones are skipped. Of texts of several lines, blanks around them are kept.
    public func draft(_ row: [String]) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        for (field, text) in zip(fields, row) {
            let trimmed = CatalogueRules.trimmed(text)
            guard let field, !trimmed.isEmpty else { continue }
            let text = SpreadsheetText.unguarded([.notes, .details].contains(field) ? text : trimmed)
            if !text.isEmpty { draft[field] = text }
        }
        return draft
    }
}

extension Dictionary where Key == SubscriptionField, Value == String {
    /// Converts amounts, cycles and dates as people write them to their wire forms.
    ///
    /// - Parameters:
    ///   - currency: used for rows without a currency.
    ///   - named: decide a sign of several currencies after `currency`; the nearest first.
    ///   - today: the billing day of rows without one.
    public func normalised(
        currency: Currency?, preferring named: [Currency] = [], today: CalendarDay
    ) throws(Fault) -> SubscriptionDraft {
        var draft = self
        let named = (currency.map { [$0] } ?? []) + named
        var amount: AmountText.Reading?
        if let text = self[.amount] {
            guard let read = AmountText.read(text) else {
                throw Fault("amount", .invalidAmount, "Must be an amount such as 13.49.")
            }
            amount = read
        }
        let sign = amount?.sign
        if let text = self[.currency] {
            draft[.currency] = text.uppercased()
            if let column = CurrencySign(text) {
                // A column may hold the sign too; the more exact one of the two decides.
                let exact = sign.map { $0.currencies.count < column.currencies.count ? $0.currencies : [] } ?? []
                let own = try column.requireCurrency(preferring: exact + named)
                if let sign, !sign.currencies.contains(own) {
                    throw Fault("currency", .invalidFormat, "Must be the currency named in the amount.")
                }
                draft[.currency] = own.code
            }
        } else if let sign {
            draft[.currency] = try sign.requireCurrency(preferring: named).code
        } else if self[.amount] != nil {
            draft[.currency] = currency?.code
        }
        if let amount {
            draft[.amount] = draft[.currency].flatMap { Currency(code: $0) }.map(amount.decimal(in:)) ?? amount.decimal
        }
        if let text = self[.cycle] { draft[.cycle] = CycleText.wire(text) ?? text }
        for field in SubscriptionField.days {
            if let text = self[field] { draft[field] = DayText.iso(text) ?? text }
        }
        return draft
    }
}
