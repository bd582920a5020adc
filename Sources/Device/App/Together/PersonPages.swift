import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// One person: edited and deleted.
enum PersonPages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("together", "people", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/together/people/{id:uuid}") { visit in
                AppResponse.page(try PersonPage(visit, visit.request.parameters.uuid()).page())
            },
            gate.form(
                "/together/people/{id:uuid}/edit",
                refill: { visit, form in
                    try PersonPage(visit, visit.request.parameters.uuid(), typed: form).page()
                }
            ) { visit, form in
                let id = try visit.request.parameters.uuid()
                var person = try visit.store.sharing.person(id)
                let before = person
                person.name = form.edited("name") ?? person.name
                person.email = form.edited("email") ?? person.email
                person.phone = form.edited("phone") ?? person.phone
                person.notes = form.edited("notes") ?? person.notes
                try AvatarFields(person: person, hasPhoto: PersonMarks(visit).hasPhoto(id)).edit(&person, form)
                guard person != before else { return AppResponse.seeOther(visit.nothingDone(link(id))) }
                do {
                    try visit.store.sharing.save(person, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link(id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try PersonPage(visit, id, typed: form, faults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
            gate.form("/together/people/{id:uuid}/delete") { visit, form in
                let id = try visit.request.parameters.uuid()
                do {
                    try visit.store.sharing.deletePerson(id, isForced: form["force"] != nil, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(TogetherPages.link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try PersonPage(visit, id, deletionFaults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
        ]
            + PhotoSection.routes(gate) { visit, id, faults in
                try PersonPage(visit, id, photoFaults: faults).page()
            }
    }
}

/// The fields of a person, what is open with them, and what deleting them means.
private struct PersonPage {
    private let visit: AppVisit
    private let person: Person
    private let open: [PersonBalance]
    private let departure: DepartedPerson
    private let names: [UUID: String]
    private let typed: FormFields?
    private let faults: [Fault]
    private let deletionFaults: [Fault]
    private let photoFaults: [Fault]
    private let marks: PersonMarks

    init(
        _ visit: AppVisit, _ id: UUID, typed: FormFields? = nil, faults: [Fault] = [], deletionFaults: [Fault] = [],
        photoFaults: [Fault] = []
    ) throws {
        self.visit = visit
        self.typed = typed
        self.faults = faults
        self.deletionFaults = deletionFaults
        self.photoFaults = photoFaults
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
            writeForm(to: &html)
            PhotoSection(visit: visit, person: person, hasPhoto: marks.hasPhoto(person.id), faults: photoFaults)
                .write(to: &html)
            writeOpen(to: &html)
            if person.id != Person.me { writeDeletion(to: &html) }
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        let avatar = AvatarFields(person: person, hasPhoto: marks.hasPhoto(person.id))
        let values =
            [("name", name), ("email", person.email), ("phone", person.phone), ("notes", person.notes)] + avatar.values
        let value = visit.entered(values, typed: typed)
        html.add(
            .form, .methodPost, .action(HTMLLink("together", "people", person.id.lowercased, "edit")),
            .class("panel stack"), .data("guard")
        ) { html in
            visit.writeShown(values, typed: typed, to: &html)
            html.add(.div, .class("fields")) { html in
                visit.field("name", visit.text("Name"), value: value("name"), faults: faults, to: &html)
                visit.field("email", visit.text("E-mail address"), value: value("email"), faults: faults, to: &html)
                visit.field("phone", visit.text("Phone"), value: value("phone"), faults: faults, to: &html)
                avatar.write(value, faults, visit, to: &html)
                visit.area("notes", visit.text("Notes"), value: value("notes"), faults: faults, to: &html)
            }
            html.add(.button, .type("submit"), .class("primary"), text: visit.text("Save"))
        }
    }

    /// What is open between them and each other person.
    private func writeOpen(to html: inout HTMLWriter) {
        guard !open.isEmpty else { return }
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Not settled"))
            html.add(.ul, .class("waits")) { html in
                for balance in open {
                    let other = names[balance.personID] ?? visit.text("(deleted)")
                    let isTheirs = balance.amount.minorUnits < 0
                    html.add(.li) { html in
                        html.add(.span, text: isTheirs ? "\(name) → \(other)" : "\(other) → \(name)")
                        let amount = Money(
                            minorUnits: abs(balance.amount.minorUnits), currency: balance.amount.currency)
                        html.add(.span, .class("amount"), text: visit.money(amount))
                    }
                }
            }
        }
    }

    private func writeDeletion(to html: inout HTMLWriter) {
        let meaning = [
            visit.text("Deleting a person leaves the parts of others. Expenses keep their part and their name.")
        ]
        let link = HTMLLink("together", "people", person.id.lowercased, "delete")
        visit.deletion(
            visit.text("Delete this person"), meaning, link, isOpen: !deletionFaults.isEmpty, to: &html
        ) { html in
            writeParts(to: &html)
            for fault in deletionFaults where open.isEmpty {
                html.add(.p, .class("fault"), .role("alert"), text: visit.sentence(fault.detail))
            }
            guard !open.isEmpty else { return }
            html.add(.div, .class("field")) { html in
                html.add(.label, .class("choice")) { html in
                    html.add(
                        .input, .type("checkbox"), .name("force"), .value("on"),
                        deletionFaults.isEmpty ? nil : .aria("invalid", "true"),
                        deletionFaults.isEmpty ? nil : .aria("describedby", "force-fault"))
                    html.text(visit.text("Delete, although not everything is settled"))
                }
                if !deletionFaults.isEmpty {
                    html.add(
                        .p, .class("fault"), .id("force-fault"), .role("alert"),
                        text: visit.text("Something is open with this person. Settle it, or tick the box."))
                }
            }
        }
    }

    /// The parts of subscriptions that the owner bears from then on.
    private func writeParts(to html: inout HTMLWriter) {
        let parts = departure.parts
        guard !parts.isEmpty else { return }
        html.add(.div) { html in
            html.add(.p, text: visit.text("From today on, you pay their part of:"))
            html.add(.ul, .class("bullets")) { html in
                for part in parts.prefix(20) {
                    html.add(.li) { html in
                        html.text(part.name + " ")
                        html.add(.span, .class("amount"), text: visit.money(part.amount))
                    }
                }
            }
            if parts.count > 20 { html.add(.p, .class("muted"), text: visit.text("\(parts.count - 20) more")) }
        }
    }
}
