import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// The photo on the page of a person: chosen, replaced and removed. Its bytes have an address of their own.
struct PhotoSection {
    let visit: AppVisit
    let person: Person
    let hasPhoto: Bool
    let faults: [Fault]

    static func link(_ id: UUID) -> HTMLLink { HTMLLink("together", "people", id.lowercased, "photo") }

    /// - Parameter page: the page of a person with the faults of a photo that was not accepted.
    static func routes(_ gate: AppGate, _ page: @escaping @Sendable (AppVisit, UUID, [Fault]) throws -> [UInt8])
        -> [Route]
    {
        [
            gate.page("/together/people/{id:uuid}/photo") { visit in
                let id = try visit.request.parameters.uuid()
                guard let photo = try visit.store.sharing.photo(of: id) else {
                    throw DeviceStoreError.notFound(.person, id: id.lowercased)
                }
                return AppResponse.receipt(photo.bytes, named: "photo", type: photo.mediaType, isDownload: false)
            },
            gate.files("/together/people/{id:uuid}/photo", maximumBytes: PersonPhoto.limitBytes - 1) { visit, form in
                let id = try visit.request.parameters.uuid()
                do {
                    guard let file = form.files.first, !file.content.isEmpty else {
                        throw DeviceStoreError.invalid(Fault("photo", .required, "No photo was chosen."))
                    }
                    let person = try visit.store.sharing.person(id)
                    try visit.store.sharing.save(person, photo: file.content, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(PersonPages.link(id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(try page(visit, id, error.faults), .unprocessableContent)
                }
            },
            gate.form("/together/people/{id:uuid}/photo/delete") { visit, _ in
                var person = try visit.store.sharing.person(try visit.request.parameters.uuid())
                guard case .photo = person.avatar else {
                    return AppResponse.seeOther(visit.nothingDone(PersonPages.link(person.id)))
                }
                person.avatar = .initials("")
                try visit.store.sharing.save(person, at: visit.moment)
                return AppResponse.seeOther(try visit.done(PersonPages.link(person.id)))
            },
        ]
    }

    func write(to html: inout HTMLWriter) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Photo"))
            writeForm(to: &html)
            guard hasPhoto else { return }
            let link = HTMLLink("together", "people", person.id.lowercased, "photo", "delete")
            html.add(.form, .methodPost, .action(link), .class("after")) { html in
                html.add(.button, .type("submit"), text: visit.text("Remove the photo"))
            }
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        let (bytes, side) = (PersonPhoto.limitBytes, PersonPhoto.maximumSide)
        html.add(
            .form, .methodPost, .multipart, .action(Self.link(person.id)), .class("panel stack"), .data("drop"),
            .data("most", "\(bytes - 1)"), .data("side", "\(side)"),
            .data("too-large", visit.sentence("Must have less than \(bytes / 1000) KB; make it smaller first."))
        ) { html in
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("photo"), text: visit.text("File"))
                html.add(
                    .input, .type("file"), .id("photo"), .name("photo"), .required,
                    .accept("image/png,image/jpeg,image/webp"), faults.isEmpty ? nil : .aria("invalid", "true"),
                    .aria("describedby", faults.isEmpty ? "photo-hint" : "photo-fault"))
                if !faults.isEmpty {
                    html.add(
                        .p, .class("fault"), .id("photo-fault"), .role("alert"),
                        text: faults.map { visit.sentence($0.detail) }.joined(separator: " "))
                }
                html.add(
                    .p, .class("hint"), .id("photo-hint"),
                    text: visit.text(
                        "PNG, JPEG or WebP. Made smaller here if need be; stored without times and places."))
            }
            html.add(
                .button, .type("submit"),
                text: hasPhoto ? visit.text("Replace the photo") : visit.text("Add a photo"))
        }
    }
}
