/// A filter of a list that is chosen by a link.
package struct Chip {
    private let text: String
    private let link: HTMLLink
    private let isCurrent: Bool
    private let tally: String?

    /// - Parameter tally: how much of the list it shows.
    package init(_ text: String, _ link: HTMLLink, isCurrent: Bool, tally: String? = nil) {
        self.text = text
        self.link = link
        self.isCurrent = isCurrent
        self.tally = tally
    }

    fileprivate func write(to html: inout HTMLWriter) {
        html.add(.a, .href(link), isCurrent ? .aria("current", "true") : nil) { html in
            html.text(text)
            guard let tally else { return }
            html.text(" ")
            html.add(.span, .class("tally"), text: tally)
        }
    }
}

extension HTMLWriter {
    /// A row of filters of which one applies.
    package mutating func chips(_ label: String, _ chips: some Sequence<Chip>) {
        add(.nav, .class("chips"), .aria("label", label)) { html in for chip in chips { chip.write(to: &html) } }
    }

    /// The way back, above the heading of a page.
    package mutating func crumb(_ link: HTMLLink, _ text: String) {
        add(.p, .class("crumb")) { html in html.add(.a, .href(link), text: text) }
    }
}
