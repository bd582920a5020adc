/// The editable fields of a catalogue item, not validated yet.
public struct CatalogueDraft: Sendable, Hashable {
    /// The name of the service: 1…120 characters, trimmed by ``validated()``.
    public var name: String
    /// Lower-case ASCII words joined by hyphens; unique in the catalogue.
    public var slug: String
    /// 1…40 lower-case letters, digits and underscores, such as `streaming`.
    public var category: String
    /// The usual price of one charge: from 0 to 1 billion units of its currency.
    public var typicalAmount: Money
    /// How often the service usually charges.
    public var billingCycle: BillingCycle
    /// An https link of at most 500 bytes; nil when unknown.
    public var website: String?
    /// The page for cancelling a subscription.
    public var cancelURL: String?
    /// Notice period for cancelling, in days before the next charge.
    public var noticeDays: Int?
    /// Other names that find the service, at most 20. They differ from the name and from each other when folded.
    public var aliases: [String]

    /// Takes the fields as they are; ``validated()`` checks them.
    public init(
        name: String, slug: String, category: String, typicalAmount: Money, billingCycle: BillingCycle,
        website: String? = nil, cancelURL: String? = nil, noticeDays: Int? = nil, aliases: [String] = []
    ) {
        self.name = name
        self.slug = slug
        self.category = category
        self.typicalAmount = typicalAmount
        self.billingCycle = billingCycle
        self.website = website
        self.cancelURL = cancelURL
        self.noticeDays = noticeDays
        self.aliases = aliases
    }

    /// Proposes a slug: the folded name with hyphens, truncated at a word boundary.
    ///
    /// Empty when the name has no ASCII letters or digits after folding.
    public static func slug(from name: String) -> String {
        var slug = ""
        for word in TextFolding.fold(name).split(whereSeparator: { !$0.isASCII || !($0.isLetter || $0.isNumber) }) {
            guard !slug.isEmpty else {
                slug = String(word.prefix(CatalogueRules.maximumSlugLength))
                continue
            }
            guard slug.utf8.count + 1 + word.utf8.count <= CatalogueRules.maximumSlugLength else { break }
            slug += "-" + word
        }
        return slug
    }
}

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
            return faults.note(Fault("aliases", .outOfRange, "At most \(CatalogueRules.maximumAliases) aliases."))
        }
        var seen: Set<String> = [TextFolding.fold(name)]
        for (index, alias) in aliases.enumerated() {
            let field = "aliases/\(index)"
            if let error = CatalogueRules.nameError(alias, field: field) {
                faults.note(error)
            } else if !seen.insert(TextFolding.fold(alias)).inserted {
                faults.note(
                    Fault(
                        field, .duplicate,
                        "Must differ from the name and from the other aliases in more than case and accents."))
            }
        }
    }

    /// Fills each optional field that has no value with that of a duplicate, when both are merged.
    package mutating func fill(from duplicate: CatalogueDraft) {
        website = website ?? duplicate.website
        cancelURL = cancelURL ?? duplicate.cancelURL
        noticeDays = noticeDays ?? duplicate.noticeDays
    }

    /// Reverts each optional field that still has the value of `after` to that of `before`, when a merge is undone.
    package mutating func revert(to before: CatalogueDraft, from after: CatalogueDraft) {
        if website == after.website { website = before.website }
        if cancelURL == after.cancelURL { cancelURL = before.cancelURL }
        if noticeDays == after.noticeDays { noticeDays = before.noticeDays }
    }
}
