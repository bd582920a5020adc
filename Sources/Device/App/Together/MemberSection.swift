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
    private let typed: FormFields?
    private let faults: [Fault]

    /// - Parameter typed: what was sent and not accepted.
    init(_ visit: AppVisit, _ group: PersonGroup, typed: FormFields? = nil, faults: [Fault] = []) throws {
        self.visit = visit
        self.group = group
        self.typed = typed
        self.faults = faults
        names = try visit.names()
        let others = try visit.store.sharing.people().filter { $0.id != Person.me }.map { ($0.id, $0.name) }
        people = [(Person.me, names[Person.me] ?? "")] + others
    }

    /// Makes the ticked people the members from a day on. Throws the faults of the fields.
    static func save(_ form: FormFields, of id: UUID, _ visit: AppVisit) throws {
        guard let day = CalendarDay(iso: form["members_from"] ?? "") else {
            throw DeviceStoreError.invalid(Fault("members_from", .invalidDay, "Must be a date such as 2027-01-15."))
        }
        let group = try visit.store.sharing.group(id)
        let present = group.members(on: day)
        let chosen = ids(form, "member")
        // Of whom the page showed; who came or went since stays as it is.
        let shown = form[shownName] == nil ? present : ids(form, shownName)
        let joining = chosen.filter { !shown.contains($0) && !present.contains($0) }
        let leaving = shown.filter { !chosen.contains($0) && present.contains($0) }
        if joining.contains(Person.me) { try visit.makeMe() }
        try visit.store.sharing.save(group, joining: joining, leaving: leaving, from: day, at: visit.moment)
    }

    /// The members that a page showed.
    private static let shownName = "shown_member"

    private static func ids(_ form: FormFields, _ name: String) -> [UUID] {
        form.values(name).compactMap { UUID(uuidString: $0) }
    }

    func write(to html: inout HTMLWriter) {
        let today = visit.moment.today
        let chosen = typed.map { $0.values("member") } ?? group.members(on: today).map(\.lowercased)
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Members"))
            writeChanges(to: &html)
            html.add(.details, .class("more after"), typed == nil ? nil : .open) { html in
                html.add(.summary, text: visit.text("Who comes or goes"))
                html.add(
                    .form, .methodPost, .action(HTMLLink("together", "groups", group.id.lowercased, "members")),
                    .class("stack after"), .data("guard")
                ) { html in
                    // One without a value, for a page that showed no person.
                    let shown =
                        typed.map { $0.values(Self.shownName) } ?? [""] + group.members(on: today).map(\.lowercased)
                    for id in shown { html.hidden(Self.shownName, id) }
                    html.add(.fieldset) { html in
                        html.add(.legend, text: visit.text("Members from that day on"))
                        html.add(.div, .class("choices")) { html in
                            for person in people {
                                html.add(.label, .class("choice")) { html in
                                    html.add(
                                        .input, .type("checkbox"), .name("member"), .value(person.id.lowercased),
                                        chosen.contains(person.id.lowercased) ? .checked : nil)
                                    html.text(person.name)
                                }
                            }
                        }
                        for fault in faults where fault.pointer != "members_from" {
                            html.add(
                                .p, .class("fault"), .role("alert"), text: visit.sentence(fault.detail))
                        }
                    }
                    visit.field(
                        "members_from", visit.text("From"), value: typed?["members_from"] ?? today.iso,
                        hint: visit.text("Expenses of earlier days keep their people."), type: "date", faults: faults,
                        to: &html)
                    html.add(.button, .type("submit"), text: visit.text("Save"))
                }
            }
        }
    }

    /// Who came and went, the newest first.
    private func writeChanges(to html: inout HTMLWriter) {
        guard !group.changes.isEmpty else { return }
        html.add(.ul, .class("waits")) { html in
            for change in group.changes.sorted(by: { $0.from > $1.from }).prefix(50) {
                let (name, day) = (names[change.personID] ?? visit.text("(deleted)"), visit.day(change.from))
                html.add(
                    .li,
                    text: change.isMember
                        ? visit.text("\(name) belongs to it from \(day) on")
                        : visit.text("\(name) no longer belongs to it from \(day) on"))
            }
        }
    }
}
