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

    /// - Parameter page: the page of a person with a photo that was not accepted.
    static func routes(
        _ gate: AppGate, again page: @escaping @Sendable (AppVisit, DeviceStoreError) throws -> [UInt8]
    ) -> [Route] {
        [
            gate.answer("/together/people/{id:uuid}/photo") { visit in
                let id = try visit.id()
                guard let photo = try visit.store.sharing.photo(of: id) else {
                    throw DeviceStoreError.notFound(.person, id: id.lowercased)
                }
                return AppResponse.receipt(photo.bytes, named: "photo", type: photo.mediaType, isDownload: false)
            },
            gate.file(
                "/together/people/{id:uuid}/photo", "photo", missing: "No photo was chosen.",
                maximumBytes: PersonPhoto.limitBytes - 1, again: page
            ) { visit, file in
                let id = try visit.id()
                try visit.store.sharing.changePerson(id, photo: file.content, at: visit.moment)
                return .done(PersonPages.link(id))
            },
            gate.form("/together/people/{id:uuid}/photo/delete") { visit, _ in
                let id = try visit.id()
                return try .edited(
                    PersonPages.link(id), by: { try visit.store.sharing.changePerson(id, at: visit.moment, $0) }
                ) { person in if case .photo = person.avatar { person.avatar = .initials("") } }
            },
        ]
    }

    func write(to html: inout HTMLWriter) {
        let bytes = PersonPhoto.limitBytes
        html.section(visit.text("Photo")) { html in
            FileForm(
                visit: visit, link: Self.link(person.id), name: "photo", label: visit.text("File"),
                hint: visit.text("PNG, JPEG or WebP. Made smaller here if need be; stored without times and places."),
                accept: .accept("image/png,image/jpeg,image/webp"), most: bytes - 1,
                tooLarge: "Must have less than \(bytes / 1000) KB; make it smaller first.",
                submit: hasPhoto ? visit.text("Replace the photo") : visit.text("Add a photo"),
                side: .data("side", "\(PersonPhoto.maximumSide)"), faults: faults
            ).write(to: &html)
            guard hasPhoto else { return }
            html.button(
                visit.text("Remove the photo"),
                post: HTMLLink("together", "people", person.id.lowercased, "photo", "delete"), form: "after")
        }
    }
}
