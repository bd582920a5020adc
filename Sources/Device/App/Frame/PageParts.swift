import HTML
import SubGuardDomain

/// The parts that pages have in common.
extension HTMLWriter {
    // MARK: Headings and texts

    /// The heading of a page.
    ///
    /// - Parameters:
    ///   - below: what stands below it.
    ///   - beside: what stands at the other end of the line.
    mutating func top(
        _ title: String, below: ((inout HTMLWriter) -> Void)? = nil, beside: (inout HTMLWriter) -> Void = { _ in }
    ) {
        add(.div, .class("top")) { html in
            if let below {
                html.add(.div) { html in
                    html.add(.h1, text: title)
                    below(&html)
                }
            } else {
                html.add(.h1, text: title)
            }
            beside(&html)
        }
    }

    /// A part to fold away.
    mutating func fold(
        _ summary: String, _ style: StaticString = "more", isOpen: Bool = false, content: (inout HTMLWriter) -> Void
    ) {
        add(.details, .class(style), isOpen ? .open : nil) { html in
            html.add(.summary, text: summary)
            content(&html)
        }
    }

    mutating func mutedLine(_ text: String) { add(.p, .class("muted"), text: text) }

    mutating func hint(_ text: String, _ style: StaticString = "hint") { add(.p, .class(style), text: text) }

    /// A sentence that ends with a command, a path or a value.
    mutating func sentence(
        _ text: String, _ value: String, _ element: HTMLElement = .code, style: StaticString? = nil,
        of valueStyle: StaticString? = nil
    ) {
        add(.p, style.map { .class($0) }) { html in
            html.text(text + " ")
            html.add(element, valueStyle.map { .class($0) }, text: value)
        }
    }

    /// Why something was refused, which a browser shows first.
    mutating func refusal(_ text: String, _ style: StaticString = "notice bad") {
        add(.p, .class(style), .role("alert"), .tabindex(-1), .data("focus"), text: text)
    }

    mutating func fault(_ text: String) { add(.p, .class("fault"), .role("alert"), text: text) }

    /// What stands beside an entry of a list.
    mutating func entry(_ name: String, _ notes: String..., further: (inout HTMLWriter) -> Void = { _ in }) {
        add(.span, .class("entry")) { html in
            html.add(.b, text: name)
            for note in notes { html.add(.small, .class("muted"), text: note) }
            further(&html)
        }
    }

    mutating func price(_ amount: String, _ note: String? = nil) {
        add(.span, .class("price")) { html in
            html.add(.b, .class("amount"), text: amount)
            if let note { html.add(.small, .class("muted"), text: note) }
        }
    }

    // MARK: Lists

    /// A list of texts.
    mutating func rows(_ lines: some Sequence<String>, _ style: StaticString) {
        add(.ul, .class(style)) { html in for line in lines { html.add(.li, text: line) } }
    }

    /// A list of names with values.
    mutating func facts(_ rows: [(name: String, text: String)], _ style: StaticString = "waits") {
        self.rows(rows, style: style) { row, html in
            html.add(.b, text: row.name)
            html.add(.span, text: row.text)
        }
    }

    /// What a row says, and its amount.
    mutating func amount(_ amount: String, of text: String) {
        add(.span, text: text)
        add(.span, .class("amount"), text: amount)
    }

    /// Who pays whom, in this order whichever way the names are written.
    mutating func arrow(_ from: String, _ to: String) {
        bdi(from)
        text(" → ")
        bdi(to)
    }

    /// The same in a sentence.
    mutating func amount(_ amount: String, after text: String) {
        self.text(text)
        add(.span, .class("amount"), text: amount)
    }

    // MARK: Forms

    mutating func submit(_ text: String, _ style: StaticString? = nil) {
        add(.button, .type("submit"), style.map { .class($0) }, text: text)
    }

    /// A form that changes something.
    mutating func post(
        _ link: HTMLLink, _ style: StaticString? = "panel stack", _ attribute: HTMLAttribute? = nil,
        content: (inout HTMLWriter) -> Void
    ) {
        form(link, [], style.map { .class($0) }, attribute, content: content)
    }

    /// A form of one button.
    ///
    /// - Parameters:
    ///   - values: what it sends.
    ///   - label: what screen readers say, where the text says too little.
    mutating func button(
        _ text: String, post link: HTMLLink, _ values: KeyValuePairs<String, String> = [:], label: String? = nil,
        style: StaticString? = nil, form: StaticString? = nil
    ) {
        post(link, form) { html in
            for (name, value) in values { html.hidden(name, value) }
            html.add(.button, .type("submit"), style.map { .class($0) }, label.map { .aria("label", $0) }, text: text)
        }
    }

    /// A box to tick, or one of several buttons, with its text.
    mutating func choice(_ name: String, value: String, _ text: String, isOn: Bool, type: StaticString = "checkbox") {
        add(.label, .class("choice")) { html in
            html.add(.input, .type(type), .name(name), .value(value), isOn ? .checked : nil)
            html.text(text)
        }
    }

    /// Boxes of one name.
    mutating func choices(
        _ legend: String, _ name: String, _ options: [(value: String, text: String)], chosen: Set<String>,
        below: (inout HTMLWriter) -> Void = { _ in }
    ) {
        add(.fieldset) { html in
            html.add(.legend, text: legend)
            html.add(.div, .class("choices")) { html in
                for (value, text) in options {
                    html.choice(name, value: value, text, isOn: chosen.contains(value))
                }
            }
            below(&html)
        }
    }

    /// A row of a list of proposals: a box, what it is, and what it costs.
    mutating func proposal(
        _ id: String, _ name: String, value: String, isOn: Bool, entry: (inout HTMLWriter) -> Void,
        price: (inout HTMLWriter) -> Void = { _ in }
    ) {
        add(.li, .class("proposal")) { html in
            html.add(.input, .type("checkbox"), .id(id), .name(name), .value(value), isOn ? .checked : nil)
            html.add(.label, .for(id), .class("entry")) { entry(&$0) }
            price(&html)
        }
    }
}

extension AppVisit {
    /// What a button does to what, for screen readers.
    func label(_ action: String, _ name: String) -> String { "\(action)\(colon)\(name)" }

    /// The first rows of a list, and how many more there are.
    ///
    /// - Parameters:
    ///   - open: how many stand open; the others are folded away.
    ///   - count: all of them, where `rows` has only the first.
    ///   - empty: what is said without any.
    func list<Row>(
        _ rows: [Row], _ style: StaticString = "waits", open: Int = .max, most: Int = .max, of count: Int? = nil,
        empty: String? = nil, to html: inout HTMLWriter, row: (Row, inout HTMLWriter) -> Void
    ) {
        if let empty, rows.isEmpty { html.mutedLine(empty) }
        let shown = rows.prefix(most)
        if !shown.isEmpty { html.rows(shown.prefix(open), style: style, row: row) }
        if shown.count > open {
            html.fold(text("\(shown.count - open) more"), "more after") { html in
                html.rows(shown.dropFirst(open), style: style, row: row)
            }
        }
        writeMore((count ?? rows.count) - shown.count, to: &html)
    }

    /// How many more there are; nothing for none.
    func writeMore(_ count: Int, to html: inout HTMLWriter) {
        if count > 0 { html.mutedLine(text("\(count) more")) }
    }

    /// A page with the way back, and its title as heading.
    func page(
        _ section: AppSection, _ title: String, below parent: HTMLLink, named parentName: String,
        body: (inout HTMLWriter) -> Void
    ) -> [UInt8] {
        page(section, title: title) { html in
            html.crumb(parent, parentName)
            html.top(title)
            body(&html)
        }
    }

    /// A page below the settings.
    func subpage(_ title: String, body: (inout HTMLWriter) -> Void) -> [UInt8] {
        page(.settings, title, below: AppSection.settings.link, named: text("Settings"), body: body)
    }
}
