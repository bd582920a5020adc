package import Foundation
package import JSONWire
package import SubGuardDomain

/// The editable fields of an item as a body gives them: all of them for a new item, any of them for a change.
package struct CatalogueDraftFields {
    /// The id that the caller wants for a new item.
    package private(set) var id: UUID?
    private var name: String?
    private var slug: String?
    private var category: String?
    private var amount: String?
    private var currency: String?
    private var cycle: String?
    private var website: Change<String> = .keep
    private var cancelURL: Change<String> = .keep
    private var noticeDays: Change<Int> = .keep
    private var aliases: [(index: Int, text: String)]?
    /// Where the object stands in the body.
    private let pointer: JSONPointer
    package private(set) var faults: FaultList
    /// Fields about which something was noted, whether it was kept or only counted.
    private var faulty: Set<String> = []

    /// A field that may be left out, emptied or set.
    private enum Change<Value> {
        case keep
        case set(Value?)

        func applied(to value: Value?) -> Value? {
            switch self {
            case .keep: value
            case .set(let new): new
            }
        }
    }

    /// Reads what is there and notes every fault in ``faults``; nothing is lost to the first of them.
    ///
    /// - Parameters:
    ///   - pointer: where the object stands in the body.
    ///   - maximumFaults: how many faults are kept; the others are counted.
    package init(
        _ object: JSONObject, allowsID: Bool, at pointer: JSONPointer = .root,
        maximumFaults: Int = FaultList.maximumFaults
    ) {
        self.pointer = pointer
        faults = FaultList(limit: maximumFaults)
        for (member, value) in object.members {
            switch member {
            case "id" where allowsID:
                id = value.stringValue.flatMap { UUID(strict: $0) }
                if id == nil { note(member, .invalidID, "Must be a UUID.") }
            case "name": name = string(value, member)
            case "slug": slug = string(value, member)
            case "category": category = string(value, member)
            case "typical_amount": amount = string(value, member)
            case "currency": currency = string(value, member)
            case "billing_cycle": cycle = string(value, member)
            case "website": website = .set(value.isNull ? nil : string(value, member))
            case "cancel_url": cancelURL = .set(value.isNull ? nil : string(value, member))
            case "notice_days": noticeDays = .set(value.isNull ? nil : integer(value, member))
            case "aliases": aliases = strings(value, member)
            default: refuseUnknown(member)
            }
        }
    }

    /// A new item's draft, or `nil` when ``faults`` tells why not.
    package mutating func draft() -> CatalogueDraft? {
        for (field, value) in [("name", name), ("category", category), ("typical_amount", amount)] where value == nil {
            if !hasFault(field) { note(field, .required, "Must be given.") }
        }
        for (field, value) in [("currency", currency), ("billing_cycle", cycle)] where value == nil {
            if !hasFault(field) { note(field, .required, "Must be given.") }
        }
        let money = readMoney(amount: amount, currency: currency)
        let billing = cycle.flatMap { readCycle($0) }
        guard faults.isEmpty, let name, let category, let money, let billing else {
            noteBrokenRules(amount: money)
            return nil
        }
        return CatalogueDraft(
            name: name, slug: slug ?? CatalogueDraft.slug(from: name), category: category, typicalAmount: money,
            billingCycle: billing, website: website.applied(to: nil), cancelURL: cancelURL.applied(to: nil),
            noticeDays: noticeDays.applied(to: nil), aliases: aliases?.map(\.text) ?? [])
    }

    /// The item's draft with these changes, or `nil` when ``faults`` tells why not. Changing the currency alone keeps
    /// the amount's digits, so an amount that the new currency cannot hold is refused.
    package mutating func draft(changing item: CatalogueItem) -> CatalogueDraft? {
        var draft = item.draft
        var newAmount: Money?
        if amount != nil || currency != nil, !hasFault("typical_amount"), !hasFault("currency") {
            let money = readMoney(
                amount: amount ?? item.typicalAmount.decimal, currency: currency ?? item.typicalAmount.currency.code)
            newAmount = money
            draft.typicalAmount = money ?? draft.typicalAmount
        }
        if let cycle { draft.billingCycle = readCycle(cycle) ?? draft.billingCycle }
        draft.name = name ?? draft.name
        draft.slug = slug ?? draft.slug
        draft.category = category ?? draft.category
        draft.website = website.applied(to: draft.website)
        draft.cancelURL = cancelURL.applied(to: draft.cancelURL)
        draft.noticeDays = noticeDays.applied(to: draft.noticeDays)
        draft.aliases = aliases?.map(\.text) ?? draft.aliases
        guard faults.isEmpty else {
            noteBrokenRules(amount: newAmount)
            return nil
        }
        return draft
    }

    /// Beside fields that cannot be read, the rules that the others break: an answer names every fault at once. Where all
    /// can be read, whoever takes the draft checks them.
    private mutating func noteBrokenRules(amount: Money?) {
        var texts = CatalogueTexts()
        texts.name = name.map(CatalogueRules.trimmed)
        texts.slug = slug
        texts.category = category
        texts.amount = amount
        texts.website = website.applied(to: nil)
        texts.cancelURL = cancelURL.applied(to: nil)
        texts.noticeDays = noticeDays.applied(to: nil)
        texts.aliases = (aliases ?? []).map { ($0.index, CatalogueRules.trimmed($0.text)) }
        faults.note(contentsOf: texts.faults().within(pointer.text))
    }

    private mutating func readMoney(amount: String?, currency code: String?) -> Money? {
        guard let code else { return nil }
        guard let currency = Currency(code: code) else {
            note("currency", .unknownCurrency, "Must be an ISO 4217 code such as \"EUR\".")
            return nil
        }
        guard let amount else { return nil }
        do throws(MoneyError) {
            return try Money(decimal: amount, currency: currency)
        } catch {
            note("typical_amount", error.code, error.detail)
            return nil
        }
    }

    private mutating func readCycle(_ text: String) -> BillingCycle? {
        guard let cycle = BillingCycle(wire: text) else {
            note(
                "billing_cycle", .unknownCycle,
                "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or such as every:18m."
            )
            return nil
        }
        return cycle
    }

    private mutating func string(_ value: JSONValue, _ field: String) -> String? {
        guard let text = value.stringValue else {
            note(field, .invalidType, "Must be a string.")
            return nil
        }
        return text
    }

    private mutating func integer(_ value: JSONValue, _ field: String) -> Int? {
        guard let number = value.integerValue else {
            note(field, .invalidType, "Must be a whole number.")
            return nil
        }
        return Int(number)
    }

    private mutating func strings(_ value: JSONValue, _ field: String) -> [(index: Int, text: String)]? {
        guard let elements = value.arrayValue else {
            note(field, .invalidType, "Must be an array of strings.")
            return nil
        }
        var texts: [(index: Int, text: String)] = []
        for (index, element) in elements.enumerated() {
            if let text = element.stringValue {
                texts.append((index, text))
            } else {
                let place = pointer.member(field)
                faults.note(
                    Fault(place.element(index).text, .invalidType, "Must be a string."))
            }
        }
        return texts
    }

    private func hasFault(_ field: String) -> Bool { faulty.contains(field) }

    /// `field` is one of the known ones.
    private mutating func note(_ field: String, _ code: FaultCode, _ detail: String) {
        faulty.insert(field)
        let pointer = pointer
        faults.note(Fault(pointer.member(field).text, code, detail))
    }

    private mutating func refuseUnknown(_ name: String) {
        let pointer = pointer
        faults.note(
            Fault(pointer.member(name).text, .unknownField, "There is no such field to set."))
    }
}
