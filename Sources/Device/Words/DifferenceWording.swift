import SubGuardDomain
package import SubGuardEngine

/// What a restore or an import would change, in the words of the program.
extension MergeWording {
    /// The name of a thing; a budget without a scope and a category is one of everything.
    package func name(_ difference: StoreDifferences.Difference) -> String {
        let name = (difference.before ?? difference.after)?.name ?? .none
        if name == .none, difference.kind == .budget { return text("Everything") }
        // What is renamed back is known by its present name.
        return value(name)
    }

    /// `€13.49 · monthly · active`.
    package func facts(_ side: StoreDifferences.Side) -> String { side.facts.map(value).joined(separator: " · ") }

    /// What differs today: `cancelled → active`; empty when nothing does.
    package func facts(from before: StoreDifferences.Side, to after: StoreDifferences.Side) -> String {
        zip(before.facts, after.facts).filter { $0 != $1 }.map { "\(value($0)) → \(value($1))" }
            .joined(separator: " · ")
    }

    /// `price: €15.99 → €13.49`, or with the day of a dated value.
    package func line(_ change: StoreDifferences.Change) -> String {
        let column = label(change.value.column, of: change.table)
        let label = change.day.map { text("\(column) from \(day($0))") } ?? column
        return text("\(label): \(value(change.value.old)) → \(value(change.value.new))")
    }

    /// What kind of thing it is.
    package func word(_ kind: StoreDifferences.Kind) -> String {
        switch kind {
        case .subscription: text("subscription")
        case .person: text("person")
        case .group: text("group")
        case .expense: text("expense")
        case .transaction: text("single payment")
        case .repayment: text("repayment")
        case .budget: text("budget")
        case .rate: text("exchange rate")
        case .receipt: text("receipt")
        }
    }
}
