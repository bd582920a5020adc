public import Foundation

extension Dictionary where Key == SubscriptionField, Value == String {
    /// The faults of all fields, in the order in which `attempt` finds them, at most one of each field.
    ///
    /// Each faulty field is noted, then replaced by its `substitute` or left out, until `attempt` accepts the rest.
    /// Empty when it accepts the draft as it is.
    ///
    /// - Parameters:
    ///   - substitutes: valid values of the fields that `attempt` requires.
    ///   - attempt: reads a draft, and throws the first field that is missing or breaks a rule.
    public func faults(
        substitutes: SubscriptionDraft = [:], _ attempt: (SubscriptionDraft) throws(Fault) -> Void
    ) -> FaultList {
        var (found, rest) = (FaultList(), self)
        while true {
            do {
                try attempt(rest)
                return found
            } catch {
                // A field that is faulty without its value depends on others.
                guard !found.contains(where: { $0.pointer == error.pointer }) else { return found }
                found.note(error)
                guard let field = SubscriptionField(rawValue: error.pointer) else { return found }
                rest[field] = substitutes[field]
            }
        }
    }
}

extension Subscription {
    /// The faults of a draft that ``make(_:id:today:now:)`` refuses. `prepare` turns what people type into the form
    /// that `make` reads.
    public static func faults(
        making draft: SubscriptionDraft, id: UUID, today: CalendarDay, now: UTCInstant,
        prepare: (SubscriptionDraft) throws(Fault) -> SubscriptionDraft = { draft throws(Fault) in draft }
    ) -> FaultList {
        let substitutes: SubscriptionDraft = [
            .name: "-", .amount: "1", .currency: "EUR", .cycle: BillingCycle.monthly.wire, .nextBillingOn: today.iso,
            .anchorOn: today.iso, .startedOn: today.iso, .trialEndsOn: CalendarDay.latest.iso,
        ]
        return draft.faults(substitutes: substitutes) { draft throws(Fault) in
            _ = try make(try prepare(draft), id: id, today: today, now: now)
        }
    }

    /// The faults of a draft that ``edit(_:today:wasCharged:)`` refuses. `prepare` turns what people type into the form
    /// that `edit` reads.
    public func faults(
        editing draft: SubscriptionDraft, today: CalendarDay, wasCharged: Bool = false,
        prepare: (SubscriptionDraft) throws(Fault) -> SubscriptionDraft = { draft throws(Fault) in draft }
    ) -> FaultList {
        // Its first day is no fault of its own.
        draft.faults(substitutes: [.trialEndsOn: CalendarDay.latest.iso]) { draft throws(Fault) in
            var edited = self
            try edited.edit(try prepare(draft), today: today, wasCharged: wasCharged)
        }
    }
}
