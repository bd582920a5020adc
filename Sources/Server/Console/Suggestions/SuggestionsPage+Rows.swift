import Backend
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
                    html.link(named: row.group.name, link(to: row))
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
        if let nearest = row.nearest, nearest.isSure {
            // An item has the name.
            let isKnown = !row.isMixed && nearest.score == 100
            html.submit(
                isKnown ? words["Already in the catalogue: close"] : words.text("Alias of %1", nearest.name),
                .name("approve"), .value(id))
        } else if let nearest = row.nearest {
            // Too little alike to decide without looking.
            html.add(
                .a, .href(link(to: row)), .aria("label", words.text("Look whether %1 is %2", name, nearest.name)),
                text: words["Look"])
        }
        html.submit(words["Reject"], .name("reject"), .value(id), .aria("label", words.text("Reject %1", name)))
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
