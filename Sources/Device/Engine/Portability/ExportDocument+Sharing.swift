package import JSONWire
package import SubGuardDomain

/// The sections other than subscriptions; read by `UnitOfWork+Import`.
extension ExportDocument {
    func writeSharing(_ json: inout JSONWriter) throws {
        json.array("people", try store.sharing.people()) { json, person in
            json.field("id", person.id.lowercased)
            json.field("name", person.name)
            json.field("email", person.email)
            json.field("phone", person.phone)
            json.field("avatar_kind", person.avatar.kind)
            json.field("avatar", person.avatar.value)
            json.field("color", person.color)
            json.field("notes", person.notes)
            json.field("created_at", person.createdAt.rfc3339)
        }
        let former = try store.read { try SharingReader($0).formerPeople() }
        if !former.isEmpty {
            json.array("former_people", former) { json, person in
                json.field("id", person.id.lowercased)
                json.field("name", person.name)
                json.field("left_on", person.leftOn.iso)
            }
        }
        json.array("groups", try store.sharing.groups()) { json, group in
            json.field("id", group.id.lowercased)
            json.field("name", group.name)
            json.field("details", group.details)
            json.field("emoji", group.emoji)
            json.strings("members", group.memberIDs.map(\.lowercased))
            json.array("membership", group.changes) { json, change in
                json.field("person", change.personID.lowercased)
                json.field("from", change.from.iso)
                json.field("member", change.isMember)
            }
            json.field("created_at", group.createdAt.rfc3339)
        }
        json.array("expenses", try store.sharing.expenses()) { write($1, &$0) }
        json.array("repayments", try store.sharing.repayments()) { json, repayment in
            json.field("id", repayment.id.lowercased)
            json.field("from", repayment.from.lowercased)
            json.field("to", repayment.to.lowercased)
            json.field("amount", repayment.amount.decimal)
            json.field("currency", repayment.amount.currency.code)
            json.field("on", repayment.paidOn.iso)
            json.field("group_id", repayment.groupID?.lowercased)
            json.field("created_at", repayment.createdAt.rfc3339)
        }
        json.array("transactions", try store.transactions.list()) { write($1, &$0) }
        json.array("budgets", try store.budgets.list(at: moment).map(\.budget)) { json, budget in
            json.field("id", budget.id.lowercased)
            budget.write(to: &json)
        }
    }

    private func write(_ expense: GroupExpense, _ json: inout JSONWriter) {
        json.field("id", expense.id.lowercased)
        json.field("group_id", expense.groupID.lowercased)
        json.field("title", expense.title)
        json.field("amount", expense.amount.decimal)
        json.field("currency", expense.amount.currency.code)
        json.field("on", expense.spentOn.iso)
        json.field("paid_by", PersonAmountText.text(expense.payers))
        json.field("split", expense.split.kind.rawValue)
        json.field("parts", PersonAmountText.text(expense.split.people, expense.split.weights))
        json.field("category", expense.category)
        json.field("notes", expense.notes)
        json.field("receipt_path", expense.receiptPath)
        json.field("settled", expense.isSettled)
        json.field("created_at", expense.createdAt.rfc3339)
    }

    private func write(_ transaction: Transaction, _ json: inout JSONWriter) {
        json.field("id", transaction.id.lowercased)
        json.field("title", transaction.title)
        json.field("subtitle", transaction.subtitle)
        json.field("type", transaction.kind.rawValue)
        json.field("amount", transaction.amount.decimal)
        json.field("currency", transaction.amount.currency.code)
        json.field("on", transaction.bookedOn.iso)
        json.field("person_id", transaction.personID?.lowercased)
        json.field("category", transaction.category)
        json.field("recurring", transaction.isRecurring)
        json.strings("tags", transaction.tags)
        json.field("notes", transaction.notes)
        json.field("receipt_path", transaction.receiptPath)
        json.field("created_at", transaction.createdAt.rfc3339)
    }

    /// Writes how a subscription is shared, and who bore it from which day on; nothing when it never was.
    func writeShare(_ subscription: Subscription, _ json: inout JSONWriter) throws {
        let periods = try store.sharing.periods(of: subscription.id)
        if !periods.isEmpty {
            json.array("share_periods", periods) { json, period in
                json.field("from", period.from.iso)
                json.field("split", (period.split?.kind ?? .even).rawValue)
                json.field(
                    "parts", period.split.map { PersonAmountText.text($0.people, $0.weights) } ?? "")
            }
        }
        guard let share = try store.sharing.share(of: subscription.id) else { return }
        json.object("share") { json in
            json.field("split", share.split.kind.rawValue)
            json.field("parts", PersonAmountText.text(share.split.people, share.split.weights))
            json.field("accepted", share.isAccepted)
            json.field("notes", share.notes)
        }
    }
}

extension Budget {
    /// What it limits, from when on; without its id.
    package func write(to json: inout JSONWriter) {
        json.field("scope", target.scope?.rawValue)
        json.field("category", target.category?.wire)
        json.field("limit", limit.decimal)
        json.field("currency", limit.currency.code)
        json.field("period", period.rawValue)
        json.field("begins", begins.wire(period))
    }
}
