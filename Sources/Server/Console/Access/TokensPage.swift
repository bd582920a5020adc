package import Backend
import HTML
package import SubGuardDomain

/// The access tokens: filters, a table, and the form for a new one.
package struct TokensPage: Sendable {
    package enum Filter: String, Sendable, CaseIterable {
        case valid, expired, revoked, all

        package func contains(_ status: AccessToken.Status) -> Bool { self == .all || rawValue == status.rawValue }
    }

    package enum Sort: String, Sendable, CaseIterable {
        case created = "-created_at"
        case used = "-last_used_at"
        case name
    }

    /// What was typed into the form, and the faults by field.
    package struct Draft: Sendable {
        package var name = ""
        package var role = ""
        package var expiry = ""
        package var faults: [(field: String, fault: Fault)] = []
        /// Sentences that belong to no field.
        package var refusals: [Refusal] = []

        package init() {}

        func fault(_ field: String) -> Fault? { faults.first { $0.field == field }?.fault }

        static func label(_ field: String) -> Sentence {
            switch field {
            case "role": "Role"
            case "expires_at": "Expires"
            default: "Name"
            }
        }
    }

    package struct Query: Sendable {
        package var text = ""
        package var filter = Filter.valid
        package var sort = Sort.created
        package var page = 1

        package init() {}
    }

    package static let rowsOnAPage = 100

    private let all: [AccessToken]
    private let roles: [Role]
    private let query: Query
    private let draft: Draft
    private let now: UTCInstant
    private let idempotencyKey: String
    /// The expiry of the viewer's own token, beyond which no new one can be valid.
    private let latestExpiry: UTCInstant?

    package init(
        all: [AccessToken], roles: [Role], query: Query, draft: Draft, now: UTCInstant, idempotencyKey: String,
        latestExpiry: UTCInstant?
    ) {
        self.all = all
        self.roles = roles
        self.query = query
        self.draft = draft
        self.now = now
        self.idempotencyKey = idempotencyKey
        self.latestExpiry = latestExpiry
    }

    private var found: [AccessToken] {
        let text = query.text.lowercased()
        let rows = all.filter { token in
            query.filter.contains(token.status(at: now))
                && (text.isEmpty || token.name.lowercased().contains(text) || token.hint == query.text
                    || token.role.name == text)
        }
        switch query.sort {
        case .created: return rows.sorted { ($0.createdAt, $0.id.lowercased) > ($1.createdAt, $1.id.lowercased) }
        case .used:
            return rows.sorted {
                ($0.lastUsedAt ?? .earliest, $0.id.lowercased) > ($1.lastUsedAt ?? .earliest, $1.id.lowercased)
            }
        case .name:
            return rows.sorted { ($0.name.lowercased(), $0.id.lowercased) < ($1.name.lowercased(), $1.id.lowercased) }
        }
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.access, title: words["Tokens"]) { html in
            frame.top(
                "Access",
                "Tokens for programs and people. A session of the console belongs to the token that began it.",
                to: &html
            ) { html in
                html.add(.a, .class("button"), .href(.fragment("new")), text: words["New token"])
            }
            AccessTab.write(.tokens, frame, to: &html)
            writeFaults(frame, to: &html)
            writeFilters(frame, to: &html)
            let rows = found
            let shown = rows.dropFirst((query.page - 1) * Self.rowsOnAPage).prefix(Self.rowsOnAPage)
            if shown.isEmpty {
                frame.empty(
                    "No tokens here", "Choose another status, clear the search, or create a token below.", to: &html)
            } else {
                writeTable(Array(shown), words, to: &html)
            }
            writePaging(shown: shown.count, of: rows.count, words, to: &html)
            writeForm(frame, to: &html)
        }
    }

    /// The summary of what is wrong with the form, with links to the fields.
    private func writeFaults(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        frame.refusal(draft.refusals, to: &html)
        guard !draft.faults.isEmpty else { return }
        html.add(.div, .class("notice bad"), .role("alert")) { html in
            html.add(.p, text: frame.words["This was not accepted:"])
            html.add(.ul) { html in
                for (field, fault) in draft.faults {
                    let text = frame.words.plain(fault)
                    html.add(.li) { html in
                        html.add(.a, .href(.fragment(field)), text: frame.words[Draft.label(field)])
                        html.text(": ")
                        html.add(.span, text: text)
                    }
                }
            }
        }
    }

    // MARK: List

    private func address(filter: Filter? = nil, page: Int = 1) -> HTMLLink {
        var parameters = [(name: "status", value: (filter ?? query.filter).rawValue)]
        if !query.text.isEmpty { parameters.append(("q", query.text)) }
        if query.sort != .created { parameters.append(("sort", query.sort.rawValue)) }
        if page > 1 { parameters.append(("page", "\(page)")) }
        return HTMLLink("console", "access", query: parameters)
    }

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.chips(
            words["Status"],
            Filter.allCases.map { filter in
                Chip(
                    words.name(filter), address(filter: filter), isCurrent: filter == query.filter,
                    tally: words.number(Int64(all.count { filter.contains($0.status(at: now)) })))
            })
        frame.filters(HTMLLink("console", "access"), hidden: [("status", query.filter.rawValue)]).write(
            [frame.order([(.created, "Newest"), (.used, "Latest use"), (.name, "Name")], chosen: query.sort)],
            to: &html, search: { frame.searchField(value: query.text, to: &$0) })
    }

    private func writeTable(_ rows: [AccessToken], _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Tokens"]),
            caption: words["Days in UTC. The secret of a token is stored as a hash only."], of: rows,
            [
                .heading(words["Name"]) { token, html in
                    token.writeLink(to: &html)
                    html.text(" ")
                    html.add(.code, .class("muted"), .title(words["First characters"]), text: "\(token.hint)…")
                },
                .text(words["Role"]) { $0.role.name },
                .text(words["Status"]) { token, html in words.write(token.status(at: now), to: &html) },
                .day("Created", words) { $0.createdAt },
                .day("Last used", words, or: "never") { $0.lastUsedAt },
                .day("Expires", words, or: "never") { $0.expiresAt },
            ])
    }

    private func writePaging(shown: Int, of total: Int, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let hasNext = query.page * Self.rowsOnAPage < total
        Paging(
            summary: words.text("%1 of %2 shown", words.number(Int64(shown)), words.number(Int64(total))),
            first: query.page > 1 ? address() : nil, next: hasNext ? address(page: query.page + 1) : nil
        ).write(words, to: &html)
    }

    // MARK: Form

    private func writeForm(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.add(.section, .class("section"), .aria("labelledby", "new")) { html in
            html.add(.h2, .id("new"), .tabindex(-1), text: words["New token"])
            html.add(.form, .methodPost, .action(HTMLLink("console", "access")), .class("panel stack")) { html in
                html.hidden("idempotency_key", idempotencyKey)
                html.add(.div, .class("fields")) { html in
                    field("name", "Name", "Who or what uses it, as the audit log will say.", words, to: &html) {
                        html, attributes in
                        html.add(
                            .input, .id("name"), .name("name"), .value(draft.name), .required, .maxLength(200),
                            .autocomplete("off"), attributes.0, attributes.1)
                    }
                    field("role", "Role", "Only roles whose permissions you hold can be given.", words, to: &html) {
                        html, attributes in
                        html.add(.select, .id("role"), .name("role"), .required, attributes.0, attributes.1) { html in
                            html.add(.option, .value(""), text: words["Choose a role"])
                            for role in roles {
                                let mayGive = role.permissions.isSubset(of: frame.viewer?.permissions ?? [])
                                html.add(
                                    .option, .value(role.name), role.name == draft.role ? .selected : nil,
                                    mayGive ? nil : .disabled, text: role.name)
                            }
                        }
                    }
                    field("expires_at", "Expires", "Prefer an expiry for people and experiments.", words, to: &html) {
                        html, attributes in
                        html.add(.select, .id("expires_at"), .name("expires_at"), attributes.0, attributes.1) { html in
                            writeExpiries(words, to: &html)
                        }
                    }
                }
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: words["Create token"])
                    html.add(.span, .class("hint"), text: words["The token is shown once, on the next page."])
                }
            }
        }
    }

    private typealias Attributes = (HTMLAttribute?, HTMLAttribute?)

    private func field(
        _ name: String, _ label: Sentence, _ hint: Sentence, _ words: ConsoleWords, to html: inout HTMLWriter,
        control: (inout HTMLWriter, Attributes) -> Void
    ) {
        let fault = draft.fault(name)
        html.add(.div, .class("field")) { html in
            html.add(.label, .for(name), text: words[label])
            let described = fault == nil ? "\(name)-hint" : "\(name)-fault \(name)-hint"
            control(&html, (.aria("describedby", described), fault == nil ? nil : .aria("invalid", "true")))
            if let fault {
                let text = words.plain(fault)
                html.add(
                    .p, .id("\(name)-fault"), .class("fault"), text: text)
            }
            html.add(.p, .id("\(name)-hint"), .class("hint"), text: words[hint])
        }
    }

    /// Instants instead of durations, so that a form sent twice says the same.
    private func writeExpiries(_ words: ConsoleWords, to html: inout HTMLWriter) {
        var choices = [7, 30, 90, 365].map { (instant: now.adding(days: $0), days: Int64($0)) }
        if let latestExpiry { choices.removeAll { $0.instant > latestExpiry } }
        let unbounded = latestExpiry.map { words.text("with your token (%1)", words.instant($0)) } ?? words["never"]
        html.add(.option, .value(""), text: unbounded)
        var values = choices.map(\.instant.rfc3339)
        for (instant, days) in choices {
            html.add(
                .option, .value(instant.rfc3339), instant.rfc3339 == draft.expiry ? .selected : nil,
                text: words.text("in %1 days (%2)", words.number(days), words.day(instant.day)))
        }
        values.append("")
        // What was chosen on an older page.
        if !values.contains(draft.expiry) {
            html.add(
                .option, .value(draft.expiry), .selected,
                text: UTCInstant(rfc3339: draft.expiry).map { words.instant($0) } ?? draft.expiry)
        }
    }
}

extension ConsoleWords {
    func name(_ filter: TokensPage.Filter) -> String {
        switch filter {
        case .valid: self["Valid"]
        case .expired: self["Expired"]
        case .revoked: self["Revoked", of: "tokens"]
        case .all: self["All"]
        }
    }

    /// The state of a token as a word; a colour alone would say nothing to some.
    func write(_ status: AccessToken.Status, to html: inout HTMLWriter) {
        switch status {
        case .valid: html.add(.span, .class("rating good"), text: self["valid"])
        case .expired: html.add(.span, .class("rating"), text: self["expired"])
        case .revoked: html.add(.span, .class("rating bad"), text: self["revoked"])
        }
    }

}

extension AccessToken {
    /// Its name, with a link to its page.
    func writeLink(to html: inout HTMLWriter) {
        html.add(.a, .href(HTMLLink("console", "access", "tokens", id.lowercased))) { html in
            html.add(.bdi, text: name)
        }
    }
}
