import HTML
import SubGuardDomain

extension HTMLWriter {
    /// A name of code such as `backup_interval_hours`. In a narrow cell it breaks between its words.
    mutating func addName(_ name: String, _ attribute: HTMLAttribute? = nil) {
        add(.code, attribute) { html in
            var word = ""
            for character in name {
                word.append(character)
                guard character == "_" || character == "." else { continue }
                html.text(word)
                html.add(.wbr)
                word = ""
            }
            html.text(word)
        }
    }
}

extension TableColumn {
    /// The column that names each row, by a link to its page.
    static func named(
        _ name: String, _ target: @escaping (Row) -> (text: String, link: HTMLLink)
    ) -> TableColumn {
        .heading(name) { row, html in
            let target = target(row)
            html.link(named: target.text, target.link)
        }
    }

    /// An instant, to the minute; a word without one.
    static func instant(
        _ name: Sentence, _ words: ConsoleWords, or none: Sentence? = nil,
        _ instant: @escaping (Row) -> UTCInstant?
    ) -> TableColumn {
        .text(words[name]) { row, html in
            guard let instant = instant(row) else { return html.text(none.map { words[$0] } ?? "–") }
            html.instant(instant, words)
        }
    }

    /// The day of an instant, which is its title; a word without one. Days are those of UTC by default.
    static func day(
        _ name: Sentence, _ words: ConsoleWords, or none: Sentence? = nil,
        by day: @escaping (UTCInstant) -> CalendarDay = { $0.day }, _ instant: @escaping (Row) -> UTCInstant?
    ) -> TableColumn {
        .text(words[name]) { row, html in
            guard let instant = instant(row) else { return html.muted(none.map { words[$0] } ?? "–") }
            html.add(.time, .datetime(instant.rfc3339), .title(words.instant(instant)), text: words.day(day(instant)))
        }
    }
}

/// The fields of a query, with what was typed and why it was not accepted.
extension ConsoleFrame {
    /// A field whose id is its name.
    func field(
        _ name: String, _ label: Sentence, isGrowing: Bool = false, hint: Sentence? = nil, to html: inout HTMLWriter,
        control: (inout HTMLWriter, FieldMarks) -> Void
    ) {
        html.field(
            name, words[label], style: isGrowing ? "field grow" : "field",
            faults: queryFaults.of(name).map(words.sentence), hint: hint.map { words[$0] }, control: control)
    }

    /// A text to search for.
    func searchField(
        _ name: String = "q", _ label: Sentence = "Search", value: String?, to html: inout HTMLWriter
    ) {
        field(name, label, isGrowing: true, to: &html) { html, marks in
            html.add(
                .input, .type("search"), .id(name), .name(name), .value(typed(name, value ?? "")),
                marks.invalid == nil ? .maxLength(200) : nil, marks.invalid, marks.described)
        }
    }

    /// The form with the filters of a list.
    func filters(
        _ action: HTMLLink, isSearch: Bool = true, hidden: [NamedValue] = [], submit: Sentence = "Show"
    ) -> FilterForm {
        FilterForm(action, title: words["Filters"], submit: words[submit], isSearch: isSearch, hidden: hidden)
    }

    /// The search for an item of the catalogue.
    func itemSearch(_ action: HTMLLink, _ hidden: [NamedValue], _ text: String, to html: inout HTMLWriter) {
        filters(action, hidden: hidden, submit: "Search").write(
            [], to: &html,
            search: { searchField("item", "Search the catalogue for another item", value: text, to: &$0) })
    }

    /// The button that clears filters, if there are any.
    func clearButton(
        _ link: HTMLLink, _ text: Sentence = "Clear", isNeeded: Bool, to html: inout HTMLWriter
    ) {
        if isNeeded { html.linkButton(words[text], link) }
    }

    func choice(
        _ name: String, _ label: Sentence, _ options: [(value: String, text: String)], chosen: String?,
        isFilter: Bool = true
    ) -> FilterField {
        .choice(name, words[label], options, chosen: chosen, isFilter: isFilter)
    }

    /// A choice whose first option, an empty value, leaves nothing out.
    func choice(
        _ name: String, _ label: Sentence, every: Sentence, of context: String? = nil,
        _ options: [(value: String, text: String)], chosen: String?
    ) -> FilterField {
        choice(name, label, [("", context.map { words[every, of: $0] } ?? words[every])] + options, chosen: chosen)
    }

    /// The order of a list.
    func order<Sort: RawRepresentable<String>>(_ options: [(Sort, Sentence)], chosen: Sort) -> FilterField {
        choice(
            "sort", "Order", options.map { ($0.0.rawValue, words[$0.1]) }, chosen: chosen.rawValue, isFilter: false)
    }

    /// A text without a list to choose from, or with suggestions.
    func textFilter(
        _ name: String, _ label: Sentence, value: String?, placeholder: Sentence? = nil, suggestions: [String] = [],
        isGrowing: Bool = false
    ) -> FilterField {
        let (value, hasFault) = (typed(name, value ?? ""), !queryFaults.of(name).isEmpty)
        return FilterField(isActive: !value.isEmpty, hasFault: hasFault) { html in
            field(name, label, isGrowing: isGrowing, to: &html) { html, marks in
                html.add(
                    .input, .type("search"), .id(name), .name(name), .value(value), .spellcheck(false),
                    .autocomplete("off"), hasFault ? nil : .maxLength(200), placeholder.map { .placeholder(words[$0]) },
                    suggestions.isEmpty ? nil : .list("\(name)-values"), marks.invalid, marks.described)
                html.datalist("\(name)-values", suggestions)
            }
        }
    }

    func dayFilter(
        _ name: String, _ label: Sentence, value: String?, maximum: String?, isActive: Bool
    ) -> FilterField {
        FilterField(isActive: isActive, hasFault: !queryFaults.of(name).isEmpty) { html in
            field(name, label, to: &html) { html, marks in
                html.add(
                    .input, .type("date"), .id(name), .name(name), .value(typed(name, value ?? "")),
                    maximum.map { .maximum($0) }, marks.invalid, marks.described)
            }
        }
    }
}

/// The foot of a list: how much of it is shown, and the way to other parts.
struct Paging {
    /// Nil if the list does not say how much it shows.
    var summary: String?
    /// Nil on the first page.
    let first: HTMLLink?
    /// Nil on the last page.
    let next: HTMLLink?
    var label = "Pages of this list" as Sentence
    var firstPhrase = "First page" as Sentence
    var nextPhrase = "Next page" as Sentence

    /// - Parameter more: further links, before these.
    func write(_ words: ConsoleWords, to html: inout HTMLWriter, more: (inout HTMLWriter) -> Void = { _ in }) {
        html.add(.nav, .class("paging"), .aria("label", words[label])) { html in
            if let summary { html.add(.p, .class("muted"), text: summary) }
            html.actions { html in
                more(&html)
                if let first { html.linkButton(words[firstPhrase], first) }
                if let next { html.linkButton(words[nextPhrase], next, .rel("next")) }
            }
        }
    }
}

extension Paging {
    /// The foot of a list that is read from a cursor on.
    ///
    /// - Parameters:
    ///   - next: the cursor of the next page.
    ///   - isByTime: whether the newest rows come first.
    init(_ summary: String?, of list: ListAddress, next: String?, isByTime: Bool = false) {
        self.init(
            summary: summary, first: list.cursor.map { _ in list.link() },
            next: next.map { list.link([("cursor", $0)]) })
        if isByTime { (firstPhrase, nextPhrase) = ("Newest", "Older") }
    }
}

extension ConsoleWords {
    /// How many rows of a list are shown.
    func shown(_ count: Int, of total: Int64?) -> String {
        let shown = number(Int64(count))
        return total.map { text("%1 of %2 shown", shown, number($0)) } ?? text("%1 shown", shown)
    }
}
