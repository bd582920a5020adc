import Foundation
import JSONWire
import SubGuardDomain
import SubGuardStatementImport
import SubGuardStatements

extension StatementImportReport {
    /// Writes the members of the report.
    ///
    /// - Parameter listsAll: whether to list regular payments that are not proposed.
    func write(to json: inout JSONWriter, listsAll: Bool) {
        json.field("dry_run", isDryRun)
        json.array("files", files) { json, file in
            json.field("name", file.name)
            json.field("format", file.format.rawValue)
            json.field("encoding", file.encoding.rawValue)
            json.field("rows", file.rows)
            if let dates = file.dates {
                json.field("date_order", dates.order.rawValue)
                json.field("date_order_assumed", dates.isAssumed)
            }
            if file.isDecimalMarkAssumed { json.field("decimal_mark_assumed", true) }
            if !file.notes.isEmpty {
                json.strings("notes", file.notes.map(\.text))
            }
            guard let layout = file.layout else { return }
            json.field("separator", String(layout.separator))
            json.field("decimal_mark", String(layout.decimalMark.character))
            json.field("charges_are_positive", layout.chargesArePositive)
            json.array("columns", layout.columns) { json, column in
                json.field("name", column.name)
                json.field("field", column.field.rawValue)
            }
        }
        json.array("proposals", proposals) { json, proposal in
            json.field("id", proposal.id)
            json.field("name", proposal.name)
            json.field("payee", proposal.payee.display)
            json.field("catalogue_slug", proposal.item?.slug)
            json.field("cycle", proposal.cycle.wire)
            json.money(proposal.amount)
            json.field("confidence", proposal.confidence.rawValue)
            json.array("charges", proposal.charges) { json, charge in Self.write(charge, to: &json) }
            json.field("why", proposal.why.map(\.text).joined(separator: " "))
            json.field("subscription_id", accepted[proposal.id]?.lowercased)
        }
        json.array("confirmed", confirmed) { json, confirmation in
            json.field("occurrence_id", confirmation.occurrence.wire)
            json.field("name", confirmation.name)
            Self.write(confirmation.charge, to: &json)
        }
        json.array("corrections", corrections) { json, correction in
            json.field("subscription_id", correction.subscription.id.lowercased)
            json.field("name", correction.subscription.name)
            json.field("proposal_id", correction.proposal.id)
            json.field("applied", corrected.contains(correction.id))
        }
        json.array("price_changes", priceChanges) { json, change in
            json.field("subscription_id", change.subscriptionID.lowercased)
            json.field("name", change.name)
            json.field("on", change.on.iso)
            json.field("from", change.from.decimal)
            json.field("to", change.to.decimal)
            json.field("currency", change.to.currency.code)
        }
        json.array("other_amounts", otherAmounts) { json, other in
            json.field("subscription_id", other.subscriptionID.lowercased)
            json.field("name", other.name)
            json.field("on", other.on.iso)
            json.field("amount", other.amount.decimal)
            json.field("usual", other.usual.decimal)
            json.field("currency", other.amount.currency.code)
        }
        json.array("refunds", refunds) { json, refund in
            write(id: refund.subscriptionID, proposal: refund.proposalID, to: &json)
            json.field("name", refund.name)
            json.field("on", refund.on.iso)
            json.money(refund.amount)
            json.field("charged_on", refund.charge?.on.iso)
            json.field("effect", refund.effect.rawValue)
        }
        json.field("other_entries", otherEntries)
        json.array("charged_after_cancelling", chargedAfterCancelling) { json, charged in
            json.field("subscription_id", charged.subscriptionID.lowercased)
            json.field("name", charged.name)
            Self.write(charged.charge, hasCurrency: true, to: &json)
        }
        json.array("charged_twice", chargedTwice) { json, twice in
            write(id: twice.subscriptionID, proposal: twice.proposalID, to: &json)
            json.field("name", twice.name)
            Self.write(twice.charge, hasCurrency: true, to: &json)
        }
        let aside = proposals.flatMap { proposal in proposal.setAside.map { (proposal: proposal, aside: $0) } }
        json.array("set_aside", aside) { json, element in
            json.field("proposal_id", element.proposal.id)
            json.field("name", element.proposal.name)
            Self.write(element.aside.charge, hasCurrency: true, to: &json)
            json.field("reason", element.aside.reason.rawValue)
        }
        if listsAll {
            json.array("excluded", excluded) { json, excluded in
                json.field("name", excluded.name)
                json.field("reason", excluded.reason.rawValue)
                json.field("payments", excluded.charges)
                Self.write(excluded.last, hasCurrency: true, to: &json)
            }
        }
        json.array("refused", refused) { json, row in
            json.field("file", row.file)
            json.field("row", row.row)
            json.field("field", row.fault.pointer)
            json.field("column", row.column)
            json.field("value", row.value)
            json.field("code", row.fault.code.rawValue)
            json.field("detail", row.fault.detail)
        }
    }

    /// The members `subscription_id`, also of an accepted proposal, and `proposal_id`.
    private func write(id: UUID?, proposal: String?, to json: inout JSONWriter) {
        json.field("subscription_id", (id ?? proposal.flatMap { accepted[$0] })?.lowercased)
        json.field("proposal_id", proposal)
    }

    private static func write(_ charge: StatementCharge, hasCurrency: Bool = false, to json: inout JSONWriter) {
        json.field("on", charge.on.iso)
        json.field("amount", charge.amount.decimal)
        if charge.isRefunded { json.field("refunded", true) }
        if hasCurrency { json.field("currency", charge.amount.currency.code) }
    }
}
