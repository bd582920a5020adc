import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// Who belongs to a group, and from which day on people come and go.
struct MemberSection {
    private let visit: AppVisit
    private let group: PersonGroup
    private let people: [(id: UUID, name: String)]
    private let names: [UUID: String]

    init(_ visit: AppVisit, _ group: PersonGroup) throws {
        self.visit = visit
        self.group = group
        names = try visit.names()
        let others = try visit.store.sharing.people().filter { $0.id != Person.me }.map { ($0.id, $0.name) }
        people = [(Person.me, names[Person.me] ?? "")] + others
    }

    /// Makes the ticked people the members from a day on. Throws the faults of the fields.
    static func save(_ form: FormFields, of id: UUID, _ visit: AppVisit) throws {
        let day = try form.day("members_from")
        let chosen = form.ids("member")
        if chosen.contains(Person.me) { try visit.makeMe() }
        try visit.store.sharing.changeGroup(id, at: visit.moment) { group in
            let present = group.members(on: day)
            // Of whom the page showed; who came or went since stays as it is.
            let shown = form[shownName] == nil ? present : form.ids(shownName)
            let joining = chosen.filter { !shown.contains($0) && !present.contains($0) }
            let leaving = shown.filter { !chosen.contains($0) && present.contains($0) }
            try group.change(joining: joining, leaving: leaving, from: day)
        }
    }

    /// The members that a page showed.
    private static let shownName = "shown_member"

    func write(to html: inout HTMLWriter) {
        let members = group.members(on: visit.moment.today).map(\.lowercased)
        let link = HTMLLink("together", "groups", group.id.lowercased, "members")
        let fields = FieldWriter(visit, link, [("members_from", visit.moment.today.iso)])
        html.section(visit.text("Members")) { html in
            writeChanges(to: &html)
            html.fold(visit.text("Change members"), "more after", isOpen: fields.typed != nil) { html in
                html.post(link, "stack after", .data("guard")) { html in
                    // One without a value, for a page that showed no person.
                    for id in fields.typed?.values(Self.shownName) ?? [""] + members { html.hidden(Self.shownName, id) }
                    html.choices(
                        visit.text("Members from that day on"), "member", people.map { ($0.id.lowercased, $0.name) },
                        chosen: Set(fields.typed?.values("member") ?? members)
                    ) { html in
                        for fault in fields.faults where fault.pointer != "members_from" {
                            html.fault(visit.sentence(fault.detail))
                        }
                    }
                    fields.line(
                        "members_from", visit.text("From"),
                        hint: visit.text("Expenses of earlier days keep their people."), type: "date", to: &html)
                    html.submit(visit.text("Save"))
                }
            }
        }
    }

    /// Who came and went, the newest first.
    private func writeChanges(to html: inout HTMLWriter) {
        guard !group.changes.isEmpty else { return }
        let newest = group.changes.sorted { $0.from > $1.from }.prefix(50)
        html.rows(newest.map { visit.text(visit.sentence($0, names)) }, "waits")
    }
}
