import Catalogue
import HTML
import SubGuardDomain

extension SuggestionsPage {
    func writeRows(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Suggestions"]), of: rows,
            [
                .check(
                    words["Select all on this page"], "ids", value: { $0.group.id.lowercased },
                    label: { words.text("Select %1", $0.group.name) }),
                .heading(words["Name"]) { row, html in
                    html.link(named: row.group.name, address.link(to: row.group.id))
                    guard row.isMixed else { return }
                    html.text(" ")
                    html.rating(words["mixed alphabets: check letters"], isGood: false)
                },
                .number(words["Times"]) { words.number($0.group.count) },
                .text(words["Last seen"]) { row, html in html.day(row.group.lastSeenAt, words) },
                .text(words[query.status == .pending ? "Nearest item" : "Status"]) { row, html in
                    writeNearest(row, words, to: &html)
                },
                .actions { row, html in writeDecisions(row, words, to: &html) },
            ])
    }

    func writeNearest(_ row: Row, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard row.group.status == .pending else { return html.text(words.name(row.group.status)) }
        guard let nearest = row.nearest else { return html.muted(words["none similar"]) }
        html.bdi(nearest.name)
        html.text(" ")
        html.add(
            .small, .class("muted"), .title(words.text("Similarity: %1 of 100", "\(nearest.score)")),
            text: "\(nearest.score)")
    }

    func writeDecisions(_ row: Row, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let (id, name) = (row.group.id.lowercased, row.group.name)
        guard row.group.status == .pending else {
            return html.submit(
                words["Reopen"], .name("reopen"), .value(id), .aria("label", words.text("Reopen %1", name)))
        }
        if let adding, adding.id == row.group.id { return writeFields(of: row, adding, words, to: &html) }
        // An item has the name.
        let isKnown = !row.isMixed && row.nearest?.score == 100
        if let nearest = row.nearest, nearest.isSure {
            html.submit(
                isKnown ? words["Already in the catalogue: close"] : words.text("Alias of %1", nearest.name),
                .name("approve"), .value(id), .data("key", "a"))
        } else if let nearest = row.nearest {
            // Too little alike to decide without looking.
            html.add(
                .a, .href(address.link(to: row.group.id)),
                .aria("label", words.text("Look whether %1 is %2", name, nearest.name)),
                text: words["Look"])
        }
        if !isKnown {
            html.linkButton(
                words["Add as new…"], address.here([(Self.newName, id)]),
                label: words.text("Add %1 as a new item", name),
                .data("key", "n"))
        }
        html.submit(
            words["Reject"], .name("reject"), .value(id), .data("key", "r"),
            .aria("label", words.text("Reject %1", name)))
    }

    // MARK: A new item

    private static let form = "new"

    /// The form of the fields in the row: they cannot stand inside of it, as the rows are in a form already.
    func writeForm(_ adding: Adding, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let link = HTMLLink("console", "suggestions", adding.id.lowercased, "approve")
        let inRow = ["category", "typical_amount", "currency", "billing_cycle"]
        let others = CatalogueForms.approve.fields.map(\.name).filter { !inRow.contains($0) }
        html.form(
            link,
            [frame.keyed("new")] + address.hidden + [("back", "list")]
                + others.map { ($0, adding.values[$0]) }, .id(Self.form), .data("place")
        ) { _ in }
    }

    private func writeFields(of row: Row, _ adding: Adding, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let values = adding.values
        let form = HTMLAttribute.form(Self.form)
        html.add(.div, .class("adding")) { html in
            let options = CatalogueForms.options(categories: adding.categories, words)
            choice("category", options, values, words, .autofocus, to: &html)
            for (name, label, size) in [("typical_amount", "Price" as Sentence, 6), ("currency", "Currency", 4)] {
                html.field(id(name), words[label]) { html, _ in
                    html.add(
                        .input, .type("text"), .id(id(name)), .name(name), .value(values[name]), .size(size), .required,
                        name == "currency" ? nil : .inputMode("decimal"), .autocomplete("off"), form)
                }
            }
            choice("billing_cycle", options, values, words, to: &html)
            html.actions { html in
                html.submit(words["Add"], .class("primary"), form)
                html.linkButton(words["Cancel"], address.here())
            }
        }
    }

    private func id(_ name: String) -> String { "new-\(name)" }

    /// The select of the form of an item.
    private func choice(
        _ name: String, _ options: [String: [FormOption]], _ values: FormValues, _ words: ConsoleWords,
        _ attribute: HTMLAttribute? = nil, to html: inout HTMLWriter
    ) {
        guard let field = CatalogueForms.approve.fields.first(where: { $0.name == name }), let other = field.other
        else { return }
        html.field(id(name), words[field.label]) { html, _ in
            OpenChoice(
                name: name, id: id(name), value: values[name], options: options[name] ?? [], other: words[other],
                form: .form(Self.form)
            ).write(words, .required, attribute, to: &html)
        }
    }
}

extension HTMLWriter {
    /// The field for the reason of a rejection, with known ones to choose from.
    mutating func reason(_ reason: String, known: [String], _ words: ConsoleWords) {
        field("reason", words["Reason for the audit log (optional)"], style: "field grow") { html, _ in
            html.add(
                .input, .id("reason"), .name("reason"), .value(reason), .maxLength(500),
                known.isEmpty ? nil : .list("reasons"),
                .autocomplete("off"))
            html.datalist("reasons", known)
        }
    }
}
