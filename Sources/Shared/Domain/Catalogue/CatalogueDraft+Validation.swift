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
        var faults = FaultList()
        let ofFields: [Fault?] = [
            CatalogueRules.nameError(name, field: "name"), CatalogueRules.slugError(slug, field: "slug"),
            CatalogueRules.categoryError(category, field: "category"),
            CatalogueRules.amountError(typicalAmount, field: "typical_amount"),
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
            let detail: Sentence = "At most \(CatalogueRules.maximumAliases) aliases."
            return faults.note(Fault("aliases", .outOfRange, detail))
        }
        var seen: Set<String> = [TextFolding.fold(name)]
        for (index, alias) in aliases.enumerated() {
            let field = "aliases/\(index)"
            if let error = CatalogueRules.nameError(alias, field: field) {
                faults.note(error)
            } else if !seen.insert(TextFolding.fold(alias)).inserted {
                let detail: Sentence =
                    "Must differ from the name and from the other aliases in more than case and accents."
                faults.note(Fault(field, .duplicate, detail))
            }
        }
    }
}
