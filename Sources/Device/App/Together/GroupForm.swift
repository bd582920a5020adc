import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// A group's name and description, edited, and the group deleted.
struct GroupForm {
    private let visit: AppVisit
    private let group: PersonGroup
    private let expenseCount: Int
    private let repaymentCount: Int

    init(_ visit: AppVisit, _ group: PersonGroup, expenses: Int) throws {
        self.visit = visit
        self.group = group
        expenseCount = expenses
        repaymentCount = try visit.store.sharing.repayments().count { $0.groupID == group.id }
    }

    /// Changes what was typed. Throws the faults of the fields.
    static func save(_ form: FormFields, of id: UUID, _ visit: AppVisit) throws -> FormEnd {
        try .edited(GroupPages.link(id), by: { try visit.store.sharing.changeGroup(id, at: visit.moment, $0) }) {
            group in
            form.edit(&group.name, "name")
            form.edit(&group.emoji, "emoji")
            form.edit(&group.details, "details")
        }
    }

    func write(to html: inout HTMLWriter) {
        let values = [("name", group.name), ("emoji", group.emoji), ("details", group.details)]
        let place = { (name: String) in HTMLLink("together", "groups", group.id.lowercased, name) }
        let fields = FieldWriter(visit, place("edit"), values)
        visit.editing(visit.text("Edit the group"), place("edit"), to: &html) { html in
            fields.writeShown(to: &html)
            html.add(.div, .class("fields")) { html in
                fields.line("name", visit.text("Name of the group"), to: &html)
                fields.line("emoji", visit.text("Emoji"), to: &html)
                fields.area("details", visit.text("Description"), to: &html)
            }
        }
        var meaning = [visit.text("People stay; what they owe each other from this group goes with it.")]
        if expenseCount > 0 {
            meaning.append(
                visit.text(
                    """
                    \(expenseCount) expense is deleted with its receipts.|\
                    \(expenseCount) expenses are deleted with their receipts.
                    """
                ))
        }
        if repaymentCount > 0 {
            meaning.append(
                visit.text("\(repaymentCount) repayment is deleted.|\(repaymentCount) repayments are deleted."))
        }
        visit.deletion(visit.text("Delete the group"), meaning, place("delete"), to: &html)
    }
}
