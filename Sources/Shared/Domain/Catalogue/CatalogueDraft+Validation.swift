extension CatalogueDraft {
    /// Returns the draft with trimmed name and aliases, or throws every broken rule, in the order of the fields.
    public func validated() throws(FaultList) -> CatalogueDraft {
        var draft = self
        draft.name = CatalogueRules.trimmed(name)
        draft.aliases = aliases.map(CatalogueRules.trimmed)
        let faults = draft.faults()
        guard faults.isEmpty else { throw faults }
        return draft
    }

    private func faults() -> FaultList {
        var texts = CatalogueTexts()
        texts.name = name
        texts.slug = slug
        texts.category = category
        texts.amount = typicalAmount
        texts.website = website
        texts.cancelURL = cancelURL
        texts.noticeDays = noticeDays
        texts.aliases = aliases.enumerated().map { ($0, $1) }
        return texts.faults()
    }
}

/// The readable fields of an item; nil for a field that is missing or has another type.
public struct CatalogueTexts: Sendable {
    public var name: String?
    public var slug: String?
    public var category: String?
    public var amount: Money?
    public var website: String?
    public var cancelURL: String?
    public var noticeDays: Int?
    /// Each with its index in the list, because elements in between may be unreadable.
    public var aliases: [(index: Int, text: String)] = []

    public init() {}

    /// Every broken rule, in the order of the fields. Trim names and aliases first.
    public func faults() -> FaultList {
        var faults = FaultList()
        let ofFields: [Fault?] = [
            name.flatMap { CatalogueRules.nameError($0, field: "name") },
            slug.flatMap { CatalogueRules.slugError($0, field: "slug") },
            category.flatMap { CatalogueRules.categoryError($0, field: "category") },
            amount.flatMap { CatalogueRules.amountError($0, field: "typical_amount") },
            website.flatMap { CatalogueRules.urlError($0, field: "website") },
            cancelURL.flatMap { CatalogueRules.urlError($0, field: "cancel_url") },
            noticeDays.flatMap { CatalogueRules.noticeDaysError($0, field: "notice_days") },
        ]
        for case let fault? in ofFields { faults.note(fault) }
        noteAliases(in: &faults)
        return faults
    }

    private func noteAliases(in faults: inout FaultList) {
        guard aliases.count <= CatalogueRules.maximumAliases else {
            let detail = "At most \(CatalogueRules.maximumAliases) aliases."
            return faults.note(Fault("aliases", .outOfRange, detail))
        }
        var seen: Set<String> = name.map { [TextFolding.fold($0)] } ?? []
        for (index, alias) in aliases {
            let field = "aliases/\(index)"
            if let error = CatalogueRules.nameError(alias, field: field) {
                faults.note(error)
            } else if !seen.insert(TextFolding.fold(alias)).inserted {
                let detail = "Must differ from the name and from the other aliases in more than case and accents."
                faults.note(Fault(field, .duplicate, detail))
            }
        }
    }
}
