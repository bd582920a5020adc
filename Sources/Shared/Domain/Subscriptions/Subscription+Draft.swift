public import Foundation

extension Subscription {
    /// Creates a subscription from a draft with name, amount, currency, cycle and next billing day.
    ///
    /// A billing day in the past is the anchor of the next one, on or after `today`. Throws the first field that is
    /// missing or breaks a rule. `id` is used when the draft has none.
    public static func make(
        _ draft: SubscriptionDraft, id: UUID, today: CalendarDay, now: UTCInstant
    ) throws(Fault) -> Subscription {
        let required = { (field: SubscriptionField) throws(Fault) -> String in
            guard let text = draft[field], !text.isEmpty else {
                throw Fault(field.rawValue, .required, "Is required.")
            }
            return text
        }
        let name = try required(.name)
        let currency = try FieldRules.currency(try required(.currency))
        let price = try FieldRules.amount(try required(.amount), currency)
        let cycle = try DraftValue.cycle(try required(.cycle))
        var anchorField = draft[.anchorOn] == nil ? SubscriptionField.nextBillingOn : .anchorOn
        // What was bought once was charged on its first day.
        if cycle.step == .once, draft[anchorField] == nil, draft[.startedOn] != nil { anchorField = .startedOn }
        let schedule = BillingSchedule(
            anchor: try DraftValue.day(try required(anchorField), anchorField), cycle: cycle)
        var subscription = Subscription(
            id: try draft[.id].map { text throws(Fault) in try DraftValue.id(text, .id) } ?? id, name: name,
            price: price, schedule: schedule, startedOn: today, createdAt: now)
        let rest = draft.filter { ![.id, .name, .amount, .currency, .cycle, .nextBillingOn].contains($0.key) }
        try subscription.apply(rest, today: today)
        try subscription.requireEndAfterFirstBilling()
        return try subscription.validated()
    }

    /// Changes the fields in the draft.
    ///
    /// A new amount applies from `today` if something was charged before, else it replaces the first price. A new
    /// billing day or cycle applies from `today`; past charges are kept. Throws the first field that breaks a rule and
    /// then changes nothing. `wasCharged` is whether there are charges of the past, also by an earlier schedule.
    public mutating func edit(
        _ draft: SubscriptionDraft, today: CalendarDay, wasCharged: Bool = false
    ) throws(Fault) {
        var edited = self
        let wasCharged =
            wasCharged || prices.contains { $0.from < today }
            || startedOn < today && !charges(from: startedOn, through: today.adding(days: -1)).isEmpty
        if let text = draft[.currency] {
            let currency = try FieldRules.currency(text)
            if currency != price(on: today).currency {
                let amount = try draft[.amount].map { text throws(Fault) in try FieldRules.amount(text, currency) }
                try edited.setCurrency(currency, amount: amount, today: today, wasCharged: wasCharged)
            }
        }
        try edited.editPrice(draft, today: today, wasCharged: wasCharged)
        try edited.editSchedule(draft, today: today)
        try edited.apply(
            draft.filter { ![.id, .amount, .currency, .cycle, .nextBillingOn].contains($0.key) }, today: today)
        // Neither what was charged before it was included changes, nor what was not while it was.
        if edited.bundledIn != bundledIn { edited.trackedFrom = max(trackedFrom, today) }
        if edited.endsOn != endsOn || edited.schedule != schedule { try edited.requireEndAfterFirstBilling() }
        self = try edited.validated()
    }

    private mutating func editPrice(
        _ draft: SubscriptionDraft, today: CalendarDay, wasCharged: Bool
    ) throws(Fault) {
        guard let text = draft[.amount] else { return }
        let amount = try FieldRules.positive(
            try FieldRules.amount(text, price(on: today).currency), field: "amount")
        guard amount != price(on: today) else { return }
        if wasCharged {
            setPrice(amount, from: today)
        } else {
            price = amount
            prices.removeAll { $0.from <= today }
        }
    }

    private mutating func editSchedule(_ draft: SubscriptionDraft, today: CalendarDay) throws(Fault) {
        guard draft[.nextBillingOn] != nil || draft[.cycle] != nil else { return }
        var edited = schedule
        if let text = draft[.cycle] {
            edited.cycle = try DraftValue.cycle(text)
            // A new cycle starts from the next billing day, not from the old anchor, and keeps its day of the month.
            if edited.cycle != schedule.cycle, let next = nextBilling(onOrAfter: today) {
                edited.anchor = next
                if case .months = schedule.cycle.step {
                    edited.anchor = BillingSchedule.anchor(
                        through: next, dayOfMonth: schedule.anchor.day, cycle: edited.cycle, today: today)
                }
            }
        }
        if let text = draft[.nextBillingOn] { edited.anchor = try DraftValue.day(text, .nextBillingOn) }
        guard edited != schedule, edited.cycle != schedule.cycle || nextBilling(onOrAfter: today) != edited.anchor
        else {
            return
        }
        schedule = edited
        trackedFrom = today
    }

    /// Sets the fields without a history.
    private mutating func apply(_ draft: SubscriptionDraft, today: CalendarDay) throws(Fault) {
        for (field, text) in draft.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            switch field {
            case .id, .amount, .currency, .cycle, .nextBillingOn, .anchorOn: break
            case .name: name = text
            case .startedOn: try start(on: text, today: today)
            case .scope: scope = try SubscriptionScope.read(text)
            case .category:
                // A scope that is also given says more, and comes later.
                if let named = SubscriptionScope(named: text) {
                    scope = named
                } else {
                    category = text.isEmpty ? .other : try SubscriptionCategory(text)
                }
            case .trialEndsOn:
                let (converts, start) = (trial?.converts ?? true, trial?.startsOn)
                trial = try DraftValue.optionalDay(text, field).map {
                    Trial(endsOn: $0, converts: converts, startsOn: start)
                }
            case .status, .cancelsOn, .trialStartsOn, .trialConverts: break
            case .remind: reminders = try ReminderPlan(wire: text)
            case .details: details = text
            case .notes: notes = text
            case .website: website = text
            case .paymentMethod: paymentMethod = text
            case .icon: icon = text
            case .color: color = text
            case .catalogueItemID: catalogueItemID = try DraftValue.optionalID(text, field)
            case .contractEndsOn: contract.endsOn = try DraftValue.optionalDay(text, field)
            case .minimumMonths: contract.minimumMonths = try DraftValue.count(text, field)
            case .extensionMonths: contract.extensionMonths = try DraftValue.count(text, field)
            case .noticeDays: contract.noticeDays = try DraftValue.count(text, field)
            case .endsOn: endsOn = try DraftValue.optionalDay(text, field)
            case .isVariable: isVariable = try DraftValue.flag(text, field)
            case .bundledIn: bundledIn = try DraftValue.optionalID(text, field)
            case .replacedBy: replacedBy = try DraftValue.optionalID(text, field)
            }
        }
        // After the trial itself was set.
        try applyTrialStart(draft)
        if let text = draft[.trialConverts], !text.isEmpty {
            trial?.converts = try DraftValue.flag(text, .trialConverts)
        }
        if let text = draft[.cancelsOn] { try applyCancellation(text, today: today) }
        // Last, as a subscription may have ended by its trial or its term.
        if let text = draft[.status] {
            try applyStatus(text, isDated: draft[.cancelsOn]?.isEmpty == false, today: today)
        }
    }

    private mutating func applyCancellation(_ text: String, today: CalendarDay) throws(Fault) {
        guard let day = try DraftValue.optionalDay(text, .cancelsOn) else { return self = uncancelled }
        if day != cancellation(today: today) { setState(.cancelled, from: day) }
    }

    /// The first day of the cancellation that is in force, else of the one that is planned.
    private func cancellation(today: CalendarDay) -> CalendarDay? { cancelledOn(by: today) ?? cancelsOn(after: today) }

    private mutating func applyTrialStart(_ draft: SubscriptionDraft) throws(Fault) {
        let start = try draft[.trialStartsOn].map { text throws(Fault) in
            try DraftValue.optionalDay(text, .trialStartsOn)
        }
        if let start {
            guard start == nil || trial != nil else {
                throw Fault(SubscriptionField.trialStartsOn.rawValue, .required, "Needs the last day of the trial.")
            }
            trial?.startsOn = start
        } else if draft[.trialEndsOn] != nil, let trial, let start = trial.startsOn, start > trial.endsOn {
            throw Fault(
                SubscriptionField.trialEndsOn.rawValue, .outOfRange, "Must not be before the first day of the trial.")
        }
        try requireTrialInOrder()
    }

    /// - Parameter isDated: whether the day of its cancellation was given.
    private mutating func applyStatus(_ text: String, isDated: Bool, today: CalendarDay) throws(Fault) {
        let current = status(on: today)
        switch SubscriptionStatus(rawValue: text.lowercased()) {
        case .active, .trial:
            if current == .paused || current == .cancelled { setState(.active, from: today) }
        // The status that it has already keeps its date.
        case .paused:
            if current == .cancelled { setState(.active, from: today) }
            if current != .paused { setState(.paused, from: today) }
        case .cancelled, .ended:
            if !isDated, current != .cancelled, current != .ended { setState(.cancelled, from: today) }
        case nil:
            throw Fault("status", .unknownValue, "Must be active, trial, paused, cancelled or ended.")
        }
    }

    /// The fields as text, in the form accepted by ``make(_:id:today:now:)``.
    public func draft(today: CalendarDay) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [
            .id: id.lowercased, .name: name, .amount: price(on: today).decimal,
            .currency: price(on: today).currency.code,
            .cycle: cycle.wire, .anchorOn: schedule.anchor.iso, .startedOn: startedOn.iso, .scope: scope.rawValue,
            .category: category.wire,
            .status: status(on: today).rawValue, .remind: reminders.wire, .details: details, .notes: notes,
            .website: website, .paymentMethod: paymentMethod, .icon: icon, .color: color,
        ]
        draft[.nextBillingOn] = nextBilling(onOrAfter: today)?.iso
        draft[.cancelsOn] = cancellation(today: today)?.iso
        draft[.trialStartsOn] = trial?.startsOn?.iso
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
