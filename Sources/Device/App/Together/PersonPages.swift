import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// One person: edited and deleted.
enum PersonPages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("together", "people", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/together/people/{id:uuid}", page),
            gate.form("/together/people/{id:uuid}/edit", again: page) { visit, form in
                let id = try visit.id()
                return try .edited(
                    link(id), by: { try visit.store.sharing.changePerson(id, at: visit.moment, $0) }
                ) { person in
                    form.edit(&person.name, "name")
                    form.edit(&person.email, "email")
                    form.edit(&person.phone, "phone")
                    form.edit(&person.notes, "notes")
                    AvatarFields.edit(&person, form)
                }
            },
            gate.form("/together/people/{id:uuid}/delete", isKept: false, again: page) { visit, form in
                try visit.store.sharing.deletePerson(visit.id(), isForced: form["force"] != nil, at: visit.moment)
                return .done(TogetherPages.link)
            },
        ] + PhotoSection.routes(gate, again: page)
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] { try PersonPage(visit).page() }
}

/// The fields of a person, what is open with them, and what deleting them means.
private struct PersonPage {
    private let visit: AppVisit
    private let person: Person
    private let open: [PersonBalance]
    private let departure: DepartedPerson
    private let names: [UUID: String]
    private let marks: PersonMarks

    init(_ visit: AppVisit) throws {
        self.visit = visit
        let id = try visit.id()
        marks = try PersonMarks(visit)
        person = try visit.store.sharing.person(id)
        open = try visit.answer("debts") { try visit.store.sharing.debts(at: visit.moment) }.balances(of: id)
        departure = try visit.store.sharing.departure(of: id, at: visit.moment)
        names = try visit.names()
    }

    private var name: String { names[person.id] ?? person.name }

    func page() -> [UInt8] {
        visit.page(.together, title: name) { html in
            html.crumb(TogetherPages.link, visit.text("Together"))
            html.add(.div, .class("top")) { html in
                html.add(.div, .class("portrait")) { html in
                    marks.write(person.id, named: name, to: &html)
                    html.add(.h1, text: name)
                }
            }
            writeOpen(to: &html)
            writeForm(to: &html)
            PhotoSection(visit: visit, person: person, hasPhoto: marks.hasPhoto(person.id)).write(to: &html)
            if person.id != Person.me { writeDeletion(to: &html) }
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        let avatar = AvatarFields(person: person, hasPhoto: marks.hasPhoto(person.id))
        let values = [
            ("name", name), ("email", person.email), ("phone", person.phone), ("notes", person.notes),
        ]
        let link = HTMLLink("together", "people", person.id.lowercased, "edit")
        let fields = FieldWriter(visit, link, values + avatar.values)
        visit.editing(visit.text("Edit the person"), link, to: &html) { html in
            fields.writeShown(to: &html)
            html.add(.div, .class("fields")) { html in
                fields.line("name", visit.text("Name"), to: &html)
                fields.line("email", visit.text("E-mail address"), to: &html)
                fields.line("phone", visit.text("Phone"), to: &html)
                avatar.write(fields, visit, to: &html)
                fields.area("notes", visit.text("Notes"), to: &html)
            }
        }
    }

    /// What is open between them and each other person.
    private func writeOpen(to html: inout HTMLWriter) {
        guard !open.isEmpty else { return }
        html.section(visit.text("Not settled")) { html in
            html.rows(open) { balance, html in
                let other = names[balance.personID] ?? visit.text("(deleted)")
                let (from, to) = balance.amount.minorUnits < 0 ? (name, other) : (other, name)
                html.add(.span) { $0.arrow(from, to) }
                html.add(.span, .class("amount"), text: visit.money(balance.amount.magnitude))
            }
        }
    }

    private func writeDeletion(to html: inout HTMLWriter) {
        let meaning = [
            visit.text("Deleting a person leaves the parts of others. Expenses keep their part and their name.")
        ]
        let link = HTMLLink("together", "people", person.id.lowercased, "delete")
        let refused = visit.sent(to: link).faults
        visit.deletion(visit.text("Delete this person"), meaning, link, to: &html) { html in
            writeParts(to: &html)
            guard !open.isEmpty else {
                for fault in refused { html.fault(visit.sentence(fault.detail)) }
                return
            }
            let fault = visit.text("The balance with this person is not settled. Settle it, or tick the box.")
            let faults = refused.isEmpty ? [] : [fault]
            let marks = HTMLWriter.marks("force", faults, nil)
            html.add(.div, .class("field")) { html in
                html.add(.label, .class("choice")) { html in
                    html.add(
                        .input, .type("checkbox"), .name("force"), .value("on"), marks.invalid, marks.described)
                    html.text(visit.text("Delete, although not everything is settled"))
                }
                html.fieldNotes("force", faults, areAlerts: true, nil)
            }
        }
    }

    /// The parts of subscriptions that the owner bears from then on.
    private func writeParts(to html: inout HTMLWriter) {
        guard !departure.parts.isEmpty else { return }
        html.add(.div) { html in
            html.paragraph(visit.text("From today on, you pay their part of:"))
            visit.list(departure.parts, "bullets", most: 20, to: &html) { part, html in
                html.amount(visit.money(part.amount), after: part.name + " ")
            }
        }
    }
}
