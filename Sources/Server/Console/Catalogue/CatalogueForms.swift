import ServerContract
import SubGuardContract
import SubGuardDomain

/// The forms of the catalogue.
package enum CatalogueForms {
    package static let edit = DeclaredForm(FormDeclaration(of: .updateCatalogueItem), fields(slugHint: .slugHint))
    package static let create = DeclaredForm(FormDeclaration(of: .createCatalogueItem), fields(slugHint: .slugNewHint))
    package static let approve = DeclaredForm(FormDeclaration(of: .approveSuggestion), fields(slugHint: .slugNewHint))

    private static func fields(slugHint: Phrase) -> [DeclaredForm.Field] {
        [
            .init("name", .name), .init("slug", .slug, hint: slugHint),
            .init("category", .category, hint: .categoryHint),
            .init("typical_amount", .typicalPrice, hint: .typicalPriceHint), .init("currency", .currency),
            .init("billing_cycle", .cycle, hint: .cycleHint),
            .init("website", .website, placeholder: "https://"),
            .init("cancel_url", .cancelPage, placeholder: "https://"),
            .init("notice_days", .noticeDays), .init("aliases", .aliases, hint: .aliasesHint),
        ]
    }

    /// What is offered for fields that take any word.
    static func suggestions(categories: [String]) -> [String: [String]] {
        ["category": categories, "billing_cycle": BillingCycle.named.map(\.wire)]
    }

    /// The label of a member of an item.
    static func label(_ name: String, _ words: ConsoleWords) -> String {
        if name == "logo_url" { return words[.logo] }
        return edit.fields.first { $0.name == name }.map { words[$0.label] } ?? name
    }
}
