import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine
import TextCoding

// A form for something new has a key, made when it is shown. The id of what it adds follows from the key and from what
// was typed: the same form sent twice adds one thing, and with other words it adds another.

extension AppVisit {
    static let formKeyName = FormFields.shownName("form")

    /// The key of a form for something new; that of a sent form which is shown again.
    var formKey: String { sentKey ?? store.makeID(moment).lowercased }

    /// The id of what a form adds.
    func newID(_ form: FormFields) -> UUID {
        guard form[Self.formKeyName]?.isEmpty == false else { return store.makeID(moment) }
        let fields = PercentCoding.encode(pairs: form.fields.map { ($0.name, $0.value) })
        return DerivedID.of("form \(request.path)?\(fields)")
    }
}

extension HTMLWriter {
    /// A form that adds something.
    mutating func adding(
        _ visit: AppVisit, _ link: HTMLLink, _ style: StaticString, _ attribute: HTMLAttribute,
        content: (inout HTMLWriter) -> Void
    ) {
        post(link, style, attribute) { html in
            html.hidden(AppVisit.formKeyName, visit.formKey)
            content(&html)
        }
    }
}

extension DeviceStoreError {
    /// The page of what a form has added before; nil for any other error.
    var addedBefore: HTMLLink? {
        guard case .duplicate(let entity, let id) = self, let id = UUID(uuidString: id) else { return nil }
        return switch entity {
        case .subscription: SubscriptionPages.link(id)
        case .person: PersonPages.link(id)
        case .group: GroupPages.link(id)
        case .expense: ExpensePages.link(id)
        case .transaction: TransactionPages.link(id)
        default: TogetherPages.link
        }
    }
}
