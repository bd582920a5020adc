import HTML
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The forms of the catalogue.
package enum CatalogueForms {
    package static let edit = DeclaredForm(
        FormDeclaration(of: .updateCatalogueItem),
        fields(slugHint: "Lower-case words joined by hyphens; unique. Imports and logos find items by it."))
    package static let create = DeclaredForm(
        FormDeclaration(of: .createCatalogueItem), fields(slugHint: "Left empty, it is made from the name."))
    package static let approve = DeclaredForm(
        FormDeclaration(of: .approveSuggestion), fields(slugHint: "Left empty, it is made from the name."))

    private static func fields(slugHint: Sentence) -> [DeclaredForm.Field] {
        [
            .init("name", "Name"), .init("slug", "Slug", hint: slugHint),
            .init("category", "Category", hint: "Lower-case letters, digits, underscores."),
            .init("typical_amount", "Typical price", hint: "Of the most common plan."), .init("currency", "Currency"),
            .init(
                "billing_cycle", "Billing cycle", hint: "A word such as monthly or yearly, or every:18m (d, w, m, y)."),
            .init("website", "Website", placeholder: "https://"),
            .init("cancel_url", "Page to cancel", placeholder: "https://"),
            .init("notice_days", "Notice period in days"),
            .init("aliases", "Aliases", hint: "Other names by which a search finds the item, one on each line."),
        ]
    }

    /// The label of a member of an item.
    static func label(_ name: String, _ words: ConsoleWords) -> String {
        if name == "logo_url" { return words["Logo"] }
        return edit.fields.first { $0.name == name }.map { words[$0.label] } ?? name
    }
}

extension DeclaredForm {
    /// The inputs of an item, with what is offered for those that take any word.
    func write(
        _ values: FormValues, _ faults: FormFaults, categories: [String], _ words: ConsoleWords,
        to html: inout HTMLWriter
    ) {
        let suggestions = ["category": categories, "billing_cycle": BillingCycle.named.map(\.wire)]
        write(values, faults, words, suggestions: suggestions, to: &html)
    }
}
