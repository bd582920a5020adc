import SubGuardDomain

/// Converts the texts of one row to a draft and collects every invalid field. Codes are those of the same fields in
/// JSON; an empty field is a missing one.
struct CatalogueCSVFields {
    /// Where the row stands.
    private let pointer: String
    private let text: (CatalogueCSVColumn) -> String
    private var errors: FaultList

    init(at pointer: String, maximumFaults: Int, _ text: @escaping (CatalogueCSVColumn) -> String) {
        self.pointer = pointer
        self.text = text
        errors = FaultList(limit: maximumFaults)
    }

    mutating func content() -> CatalogueImportRow.Content {
        let amount = amount()
        let cycle = billingCycle()
        let noticeDays = noticeDays()
        let aliases = CatalogueAliasList.aliases(in: text(.aliases))
        guard let amount, let cycle, errors.isEmpty else {
            noteBrokenRules(amount, noticeDays, aliases)
            return .unreadable(errors)
        }
        return .draft(
            CatalogueDraft(
                name: text(.name), slug: text(.slug), category: text(.category), typicalAmount: amount,
                billingCycle: cycle, website: optionalText(.website), cancelURL: optionalText(.cancelURL),
                noticeDays: noticeDays, aliases: aliases))
    }

    /// Checks the remaining fields of an invalid row, so that the report names every fault.
    private mutating func noteBrokenRules(_ amount: Money?, _ noticeDays: Int?, _ aliases: [String]) {
        var texts = CatalogueTexts()
        texts.name = CatalogueRules.trimmed(text(.name))
        texts.slug = text(.slug)
        texts.category = text(.category)
        texts.amount = amount
        texts.website = optionalText(.website)
        texts.cancelURL = optionalText(.cancelURL)
        texts.noticeDays = noticeDays
        texts.aliases = aliases.enumerated().map { ($0, CatalogueRules.trimmed($1)) }
        errors.note(contentsOf: texts.faults().within(pointer))
    }

    private mutating func amount() -> Money? {
        if text(.typicalAmount).isEmpty { note(.typicalAmount, .required, "Must be given.") }
        guard !text(.currency).isEmpty else {
            note(.currency, .required, "Must be given.")
            return nil
        }
        guard let currency = Currency(code: text(.currency)) else {
            note(.currency, .unknownCurrency, "Must be the ISO 4217 code of a currency, such as EUR.")
            return nil
        }
        guard !text(.typicalAmount).isEmpty else { return nil }
        do {
            return try Money(decimal: text(.typicalAmount), currency: currency)
        } catch {
            note(.typicalAmount, error.code, error.detail)
            return nil
        }
    }

    private mutating func billingCycle() -> BillingCycle? {
        guard !text(.billingCycle).isEmpty else {
            note(.billingCycle, .required, "Must be given.")
            return nil
        }
        let cycle = BillingCycle(wire: text(.billingCycle))
        if cycle == nil { note(.billingCycle, .unknownCycle, "Must be a cycle such as monthly or every:10d.") }
        return cycle
    }

    private mutating func noticeDays() -> Int? {
        let text = text(.noticeDays)
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let days = Int(text) else {
            note(.noticeDays, .invalidType, "Must be a whole number.")
            return nil
        }
        return days
    }

    private func optionalText(_ column: CatalogueCSVColumn) -> String? {
        let text = text(column)
        return text.isEmpty ? nil : text
    }

    private mutating func note(_ column: CatalogueCSVColumn, _ code: FaultCode, _ detail: String) {
        let pointer = pointer
        errors.note(Fault("\(pointer)/\(column.rawValue)", code, detail))
    }
}

/// Several aliases in one text, separated by `|`. In an alias, `|` and `\` are escaped with `\`.
enum CatalogueAliasList {
    static func text(of aliases: [String]) -> String {
        aliases.map(escaped).joined(separator: "|")
    }

    /// Empty for an empty text. A `\` before any other character stands for itself.
    static func aliases(in text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        var aliases: [String] = []
        var alias = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "|" where !isEscaped:
                aliases.append(alias)
                alias = ""
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "|", "\\":
                alias.unicodeScalars.append(scalar)
            default:
                if isEscaped { alias.append("\\") }
                alias.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        if isEscaped { alias.append("\\") }
        return aliases + [alias]
    }

    private static func escaped(_ alias: String) -> String {
        var text = ""
        for scalar in alias.unicodeScalars {
            if scalar == "|" || scalar == "\\" { text.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
