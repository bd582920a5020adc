import SubGuardDomain

/// Turns the texts of one row into a draft and collects every field that cannot be read.
struct CatalogueCSVFields {
    let text: (CatalogueCSVColumn) -> String
    private var errors: [FieldError] = []

    init(_ text: @escaping (CatalogueCSVColumn) -> String) {
        self.text = text
    }

    mutating func content() -> CatalogueImportRow.Content {
        let amount = amount()
        let cycle = billingCycle()
        let noticeDays = noticeDays()
        guard let amount, let cycle, errors.isEmpty else { return .unreadable(errors) }
        return .draft(
            CatalogueDraft(
                name: text(.name), slug: text(.slug), category: text(.category), typicalAmount: amount,
                billingCycle: cycle, website: optionalText(.website), cancelURL: optionalText(.cancelURL),
                noticeDays: noticeDays, aliases: CatalogueAliasList.aliases(in: text(.aliases))))
    }

    private mutating func amount() -> Money? {
        guard let currency = Currency(code: text(.currency)) else {
            note(.currency, "invalid_currency", "Must be the ISO 4217 code of a currency, such as EUR.")
            return nil
        }
        do {
            return try Money(decimal: text(.typicalAmount), currency: currency)
        } catch {
            note(.typicalAmount, error.code, error.detail)
            return nil
        }
    }

    private mutating func billingCycle() -> BillingCycle? {
        let cycle = BillingCycle(wire: text(.billingCycle))
        if cycle == nil { note(.billingCycle, "invalid_cycle", "Must be a cycle such as monthly or every:10d.") }
        return cycle
    }

    private mutating func noticeDays() -> Int? {
        let text = text(.noticeDays)
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let days = Int(text) else {
            note(.noticeDays, "invalid_number", "Must be a whole number of days.")
            return nil
        }
        return days
    }

    private func optionalText(_ column: CatalogueCSVColumn) -> String? {
        let text = text(column)
        return text.isEmpty ? nil : text
    }

    private mutating func note(_ column: CatalogueCSVColumn, _ code: String, _ detail: String) {
        errors.append(FieldError(pointer: "#/" + column.rawValue, code: code, detail: detail))
    }
}
