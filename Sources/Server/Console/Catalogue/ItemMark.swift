import HTML
import SubGuardDomain

/// The logo of an item, or its mark.
struct ItemMark {
    let name: String
    let category: String
    let logoURL: String?

    init(name: String, category: String, logoURL: String?) {
        self.name = name
        self.category = category
        self.logoURL = logoURL
    }

    init(_ item: CatalogueItem) { self.init(name: item.name, category: item.category, logoURL: item.logoURL) }

    func write(to html: inout HTMLWriter) {
        if let link = logoURL.flatMap({ HTMLLink(checking: $0) }) {
            // The name stands beside it.
            html.add(.img, .class("logo"), .source(link), .alt(""), .width(pixels: 28), .height(pixels: 28), .lazy)
        } else {
            let mark = CatalogueMark(name: name, category: category)
            LetterMark(letters: mark.initials, colour: mark.colour).write(to: &html)
        }
    }
}

extension ItemMark {
    /// The mark and the name of an item, linked to its page, with its slug and category.
    static func writeNamed(_ item: CatalogueItem, _ words: ConsoleWords, to html: inout HTMLWriter) {
        writeNamed(
            item, HTMLLink("console", "catalogue", item.id.lowercased),
            "\(item.slug) · \(words.category(item.category))", to: &html)
    }

    /// The mark and the linked name of an item, with a line below it.
    static func writeNamed(_ item: CatalogueItem, _ link: HTMLLink, _ under: String, to html: inout HTMLWriter) {
        html.add(.span, .class("named")) { html in
            ItemMark(item).write(to: &html)
            html.add(.span, .class("titled")) { html in
                html.add(.a, .href(link)) { html in html.add(.bdi, text: item.name) }
                html.add(.small, .class("muted"), text: under)
            }
        }
    }
}
