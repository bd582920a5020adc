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
            .init(
                "category", "Category", hint: "Another one: lower-case letters, digits, underscores.",
                other: "Another category", shown: { $1.category($0) }),
            .init("typical_amount", "Typical price", hint: "Of the most common plan."), .init("currency", "Currency"),
            .init(
                "billing_cycle", "Billing cycle", hint: "Another one is written like every:18m (d, w, m, y).",
                other: "Another billing cycle",
                shown: { text, words in BillingCycle(wire: text).map { words.name($0) } ?? text }),
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

    /// The value of a member of an item.
    static func text(_ name: String, _ value: String, _ words: ConsoleWords) -> String {
        edit.fields.first { $0.name == name }?.text(value, words) ?? value
    }

    /// The known categories and billing cycles by their names.
    static func options(categories: [String], _ words: ConsoleWords) -> [String: [FormOption]] {
        let names = categories.map { FormOption(value: $0, text: words.category($0)) }
        return [
            "category": names.sorted { TextFolding.fold($0.text) < TextFolding.fold($1.text) },
            "billing_cycle": BillingCycle.named.map { FormOption(value: $0.wire, text: words.name($0)) },
        ]
    }
}

extension DeclaredForm {
    /// The inputs of an item, with the known words of those that take any.
    func write(
        _ values: FormValues, _ faults: FormFaults, categories: [String], _ words: ConsoleWords,
        to html: inout HTMLWriter
    ) {
        write(values, faults, words, options: CatalogueForms.options(categories: categories, words), to: &html)
    }
}
