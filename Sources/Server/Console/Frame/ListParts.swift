import HTML
import SubGuardDomain

/// What lists have in common.
extension ConsoleFrame {
    /// A notice about what was done.
    func notice(_ phrase: Sentence?, to html: inout HTMLWriter) {
        if let phrase { FormNotice.done(words[phrase], to: &html) }
    }

    /// Sentences of the API, in English, that explain why something was not done.
    func refusal(_ refusals: [Refusal], to html: inout HTMLWriter) {
        if !refusals.isEmpty { FormNotice.refused(refusals, words, to: &html) }
    }
}

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
    /// An instant, to the minute; a word without one.
    static func instant(
        _ name: Sentence, _ words: ConsoleWords, or none: Sentence? = nil,
        _ instant: @escaping (Row) -> UTCInstant?
    ) -> TableColumn {
        .text(words[name]) { row, html in
            guard let instant = instant(row) else { return html.text(none.map { words[$0] } ?? "–") }
            html.add(.time, .datetime(instant.rfc3339), text: words.instant(instant))
        }
    }

    /// The day of an instant, which is its title; a word without one.
    static func day(
        _ name: Sentence, _ words: ConsoleWords, or none: Sentence? = nil, _ instant: @escaping (Row) -> UTCInstant?
    ) -> TableColumn {
        .text(words[name]) { row, html in
            guard let instant = instant(row) else {
                return html.add(.span, .class("muted"), text: none.map { words[$0] } ?? "–")
            }
            html.add(.time, .datetime(instant.rfc3339), .title(words.instant(instant)), text: words.day(instant.day))
        }
    }
}

/// The fields of a query, with what was typed and why it was not accepted.
extension ConsoleFrame {
    /// A text to search for.
    func searchField(
        _ name: String = "q", _ label: Sentence = "Search", value: String?, length: Int = 200,
        to html: inout HTMLWriter
    ) {
        html.add(.div, .class("field grow")) { html in
            html.add(.label, .for(name), text: words[label])
            html.add(
                .input, .type("search"), .id(name), .name(name), .value(typed(name, value ?? "")),
                queryFaults.of(name).isEmpty ? .maxLength(length) : nil, invalid(name), described(name))
            writeFaults(of: name, to: &html)
        }
    }

    /// The form with the filters of a list.
    func filters(
        _ action: HTMLLink, isSearch: Bool = true, hidden: [(name: String, value: String)] = [],
        submit: Sentence = "Show"
    ) -> FilterForm {
        FilterForm(action, title: words["Filters"], submit: words[submit], isSearch: isSearch, hidden: hidden)
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
            html.add(.div, isGrowing ? .class("field grow") : .class("field")) { html in
                html.add(.label, .for(name), text: words[label])
                html.add(
                    .input, .type("search"), .id(name), .name(name), .value(value), .spellcheck(false),
                    .autocomplete("off"), hasFault ? nil : .maxLength(200), placeholder.map { .placeholder(words[$0]) },
                    suggestions.isEmpty ? nil : .list("\(name)-values"), invalid(name), described(name))
                writeFaults(of: name, to: &html)
                guard !suggestions.isEmpty else { return }
                html.add(.datalist, .id("\(name)-values")) { html in
                    for text in suggestions { html.add(.option, .value(text)) { _ in } }
                }
            }
        }
    }

    func dayFilter(
        _ name: String, _ label: Sentence, value: String?, maximum: String?, isActive: Bool
    ) -> FilterField {
        FilterField(isActive: isActive, hasFault: !queryFaults.of(name).isEmpty) { html in
            html.add(.div, .class("field")) { html in
                html.add(.label, .for(name), text: words[label])
                html.add(
                    .input, .type("date"), .id(name), .name(name), .value(typed(name, value ?? "")),
                    maximum.map { .maximum($0) }, invalid(name), described(name))
                writeFaults(of: name, to: &html)
            }
        }
    }

    func invalid(_ name: String) -> HTMLAttribute? {
        queryFaults.of(name).isEmpty ? nil : .aria("invalid", "true")
    }

    func described(_ name: String) -> HTMLAttribute? {
        queryFaults.of(name).isEmpty ? nil : .aria("describedby", "\(name)-fault")
    }

    func writeFaults(of name: String, to html: inout HTMLWriter) {
        for (index, fault) in queryFaults.of(name).enumerated() {
            let text = words.sentence(fault)
            html.add(
                .p, .class("fault"), index == 0 ? .id("\(name)-fault") : nil,
                text: text)
        }
    }

    /// Which filters do not apply, with links to their fields; nothing if all do.
    func writeQueryFaults(to html: inout HTMLWriter) {
        guard !queryFaults.isEmpty else { return }
        let labels: [String: Sentence] = [
            "q": "Search", "from": "From", "to": "To", "actor": "Author", "subject_id": "Subject (id)",
            "item": "Search the catalogue for another item", "release": "Release", "token_id": "Token (id)",
            "id": "Account id",
        ]
        html.add(.div, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus")) { html in
            html.add(.p, text: words["A filter was not accepted, so it does not apply:"])
            html.add(.ul) { html in
                for fault in queryFaults.faults {
                    let name = FormFaults.name(fault)
                    let text = words.sentence(fault)
                    html.add(.li) { html in
                        html.add(.a, .href(.fragment(name)), text: labels[name].map { words[$0] } ?? name)
                        html.text(": ")
                        html.add(.span, text: text)
                    }
                }
            }
        }
    }
}

/// What became of a form.
enum FormNotice {
    /// Gets the focus, so that a keyboard goes on from here.
    static func done(_ text: String, to html: inout HTMLWriter) {
        html.add(.p, .class("notice good"), .role("status"), .tabindex(-1), .data("focus"), text: text)
    }

    static func nothingSelected(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(
            .p, .class("notice warn"), .role("status"), .tabindex(-1), .data("focus"),
            text: words["Nothing was changed: select rows, then press a button below the list."])
    }

    static func refused(_ refusals: [Refusal], _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus")) { html in
            html.add(.p, text: words["This was not accepted:"])
            for refusal in refusals { html.add(.p, text: words.sentence(refusal)) }
        }
    }

    /// How many of a list were decided how, and a way to undo it.
    ///
    /// - Parameter isDone: whether anything was done.
    static func decided<Outcome: CaseIterable & Hashable>(
        _ counts: [Outcome: Int], isDone: Bool = true, text: (Outcome, Int) -> String, to html: inout HTMLWriter,
        undo: (inout HTMLWriter) -> Void
    ) {
        html.add(
            .div, isDone ? .class("notice good") : .class("notice warn"), .role("status"), .tabindex(-1),
            .data("focus")
        ) { html in
            let texts = Outcome.allCases.compactMap { outcome in counts[outcome].map { text(outcome, $0) } }
            let sentence = texts.joined(separator: ", ")
            html.add(.p, text: sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
            undo(&html)
        }
    }
}

/// The foot of a list: how much of it is shown, and the way to other parts.
struct Paging {
    let summary: String
    /// Nil on the first page.
    let first: HTMLLink?
    /// Nil on the last page.
    let next: HTMLLink?
    var firstPhrase = "First page" as Sentence
    var nextPhrase = "Next page" as Sentence

    /// - Parameter more: further links, before these.
    func write(_ words: ConsoleWords, to html: inout HTMLWriter, more: (inout HTMLWriter) -> Void = { _ in }) {
        html.add(.nav, .class("paging"), .aria("label", words["Pages of this list"])) { html in
            html.add(.p, .class("muted"), text: summary)
            html.add(.p, .class("actions")) { html in
                more(&html)
                if let first { html.add(.a, .class("button"), .href(first), text: words[firstPhrase]) }
                if let next { html.add(.a, .class("button"), .rel("next"), .href(next), text: words[nextPhrase]) }
            }
        }
    }
}
