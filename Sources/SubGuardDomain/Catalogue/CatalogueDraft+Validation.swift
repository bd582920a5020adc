extension CatalogueDraft {
    /// The draft with its name and aliases trimmed, or every rule that it breaks, in the order of the fields.
    public func validated() throws(CatalogueFieldErrors) -> CatalogueDraft {
        var draft = self
        draft.name = CatalogueRules.trimmed(name)
        draft.aliases = aliases.map(CatalogueRules.trimmed)
        let errors = draft.errors()
        guard errors.isEmpty else { throw CatalogueFieldErrors(errors) }
        return draft
    }

    private func errors() -> [CatalogueFieldError] {
        var errors: [CatalogueFieldError?] = [
            CatalogueRules.nameError(name, field: "name"),
            CatalogueRules.slugError(slug, field: "slug"),
            CatalogueRules.categoryError(category, field: "category"),
            CatalogueRules.amountError(typicalAmount, field: "typical_amount"),
            website.flatMap { CatalogueRules.urlError($0, field: "website") },
            cancelURL.flatMap { CatalogueRules.urlError($0, field: "cancel_url") },
            noticeDays.flatMap { CatalogueRules.noticeDaysError($0, field: "notice_days") },
        ]
        errors += aliasErrors()
        return errors.compactMap { $0 }
    }

    private func aliasErrors() -> [CatalogueFieldError] {
        guard aliases.count <= CatalogueRules.maximumAliases else {
            let detail = "At most \(CatalogueRules.maximumAliases) aliases."
            return [CatalogueFieldError(field: "aliases", code: "too_many", detail: detail)]
        }
        var seen: Set<String> = [TextFolding.fold(name)]
        var errors: [CatalogueFieldError] = []
        for (index, alias) in aliases.enumerated() {
            let field = "aliases/\(index)"
            if let error = CatalogueRules.nameError(alias, field: field) {
                errors.append(error)
            } else if !seen.insert(TextFolding.fold(alias)).inserted {
                let detail = "Must differ from the name and from the other aliases in more than case and accents."
                errors.append(CatalogueFieldError(field: field, code: "duplicate", detail: detail))
            }
        }
        return errors
    }
}
