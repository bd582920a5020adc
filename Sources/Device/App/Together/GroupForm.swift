import DeviceWords
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
    private let typed: FormFields?
    private let faults: [Fault]

    /// - Parameter typed: what was sent and not accepted.
    init(
        _ visit: AppVisit, _ group: PersonGroup, expenses: Int, typed: FormFields? = nil, faults: [Fault] = []
    ) throws {
        self.visit = visit
        self.group = group
        self.typed = typed
        self.faults = faults
        expenseCount = expenses
        repaymentCount = try visit.store.sharing.repayments().count { $0.groupID == group.id }
    }

    /// Changes what was typed. Throws the faults of the fields. Returns whether anything was.
    static func save(_ form: FormFields, of id: UUID, _ visit: AppVisit) throws -> Bool {
        var group = try visit.store.sharing.group(id)
        let before = group
        group.name = form.edited("name") ?? group.name
        group.emoji = form.edited("emoji") ?? group.emoji
        group.details = form.edited("details") ?? group.details
        guard group != before else { return false }
        try visit.store.sharing.save(group, at: visit.moment)
        return true
    }

    private func place(_ name: String) -> HTMLLink { HTMLLink("together", "groups", group.id.lowercased, name) }

    func write(to html: inout HTMLWriter) {
        let values = [("name", group.name), ("emoji", group.emoji), ("details", group.details)]
        let value = visit.entered(values, typed: typed)
        visit.editing(visit.text("Edit the group"), place("edit"), isOpen: typed != nil, to: &html) { html in
            visit.writeShown(values, typed: typed, to: &html)
            html.add(.div, .class("fields")) { html in
                visit.field("name", visit.text("Name of the group"), value: value("name"), faults: faults, to: &html)
                visit.field("emoji", visit.text("Emoji"), value: value("emoji"), faults: faults, to: &html)
                visit.area("details", visit.text("Description"), value: value("details"), faults: faults, to: &html)
            }
        }
        visit.deletion(visit.text("Delete the group"), meaning, place("delete"), to: &html)
    }

    private var meaning: [String] {
        var sentences = [visit.text("People stay; what they owe each other from this group goes with it.")]
        if expenseCount > 0 {
            sentences.append(
                visit.text(
                    "\(expenseCount) expense is deleted with its receipts.|\(expenseCount) expenses are deleted with their receipts."
                ))
        }
        if repaymentCount > 0 {
            sentences.append(
                visit.text("\(repaymentCount) repayment is deleted.|\(repaymentCount) repayments are deleted."))
        }
        return sentences
    }
}
