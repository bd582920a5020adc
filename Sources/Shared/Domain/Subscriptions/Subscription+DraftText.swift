import Foundation

extension Subscription {
    /// The fields as text, as ``make(_:id:today:now:)`` takes them.
    public func draft(today: CalendarDay) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [
            .id: id.lowercased, .name: name, .amount: price(on: today).decimal, .currency: currency.code,
            .cycle: cycle.wire, .anchorOn: schedule.anchor.iso, .category: category.wire,
            .status: status(on: today).rawValue, .remind: reminders.wire, .details: details, .notes: notes,
            .website: website, .paymentMethod: paymentMethod, .icon: icon, .color: color,
        ]
        draft[.nextBillingOn] = nextBilling(onOrAfter: today)?.iso
        draft[.trialEndsOn] = trial?.endsOn.iso
        draft[.trialConverts] = trial.map { $0.converts ? "true" : "false" }
        draft[.catalogueItemID] = catalogueItemID?.lowercased
        draft[.contractEndsOn] = contract.endsOn?.iso
        if contract.minimumMonths > 0 { draft[.minimumMonths] = "\(contract.minimumMonths)" }
        if contract.extensionMonths > 0 { draft[.extensionMonths] = "\(contract.extensionMonths)" }
        if contract.noticeDays > 0 { draft[.noticeDays] = "\(contract.noticeDays)" }
        draft[.endsOn] = endsOn?.iso
        if isVariable { draft[.isVariable] = "true" }
        draft[.bundledIn] = bundledIn?.lowercased
        draft[.replacedBy] = replacedBy?.lowercased
        return draft
    }
}
