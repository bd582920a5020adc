import Backend
import HTML
import SubGuardDomain

/// The logo of an item, and the forms that change it.
struct ItemLogo {
    let item: CatalogueItem
    let address: CatalogueAddress
    let faults: FormFaults

    func write(mayEdit: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.h2, text: words["Logo"])
        html.add(.div, .class("logobox")) { html in
            if let link = item.logoURL.flatMap({ HTMLLink(checking: $0) }) {
                html.add(
                    .img, .source(link), .alt(words.text("Logo of %1", item.name)), .width(pixels: 96),
                    .height(pixels: 96))
            } else {
                ItemMark(item).write(to: &html)
            }
        }
        if item.logoURL == nil { html.hint(words["No logo: these initials stand in its place."]) }
        guard mayEdit else { return }
        let hidden = [("revision", "\(item.revision)")] + address.hidden
        let link = HTMLLink("console", "catalogue", item.id.lowercased, "logo")
        html.form(
            link, hidden, .class("stack drop"), .id("logo"), .multipart,
            .data("drop", words["Drop an image here, or paste one."]), .data("preview", words["Preview"])
        ) { html in
            html.field(
                "f-logo", words["Image file"], faults: faults.isEmpty ? [] : faults.refusals.map(words.sentence),
                areAlerts: true,
                hint: words["PNG, JPEG or WebP, less than 500 kB, at most 1024 pixels a side."]
            ) { html, marks in
                html.add(
                    .input, .type("file"), .id("f-logo"), .name("logo"), .accept("image/png,image/jpeg,image/webp"),
                    .required, marks.invalid, marks.described)
            }
            html.actions { $0.submit(words["Upload"]) }
        }
        if item.logoURL != nil {
            html.postButton(
                words["Remove the logo"], HTMLLink("console", "catalogue", item.id.lowercased, "logo", "remove"),
                hidden, .class("danger"))
        }
    }
}
