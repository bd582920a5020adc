import HTML
package import ServerAccess
import ServerContract
import SubGuardContract
package import SubGuardDomain

/// The access tokens: filters, a table, and the form for a new one.
package struct TokensPage: ConsolePage {
    package enum Filter: String, Sendable, CaseIterable {
        case valid, expired, revoked, all

        package func contains(_ status: AccessToken.Status) -> Bool { self == .all || rawValue == status.rawValue }
    }

    package enum Sort: String, Sendable, CaseIterable {
        case created = "-created_at"
        case used = "-last_used_at"
        case name
    }

    /// The parameters of the list.
    package struct Query: Sendable {
        package let text: String?
        package let status: Filter
        package let sort: Sort
        package let page: Int

        package init(text: String? = nil, status: Filter = .valid, sort: Sort = .created, page: Int = 1) {
            self.text = text
            self.status = status
            self.sort = sort
            self.page = page
        }
    }

    private static let rowsOnAPage = 100

    private let all: [AccessToken]
    private let roles: [Role]
    private let query: Query
    /// What was typed into the form, and why it was refused.
    private let values: FormValues
    private let faults: FormFaults
    private let now: UTCInstant
    /// The expiry of the viewer's own token, beyond which no new one can be valid.
    private let latestExpiry: UTCInstant?

    package init(
        all: [AccessToken], roles: [Role], query: Query, values: FormValues = FormValues(),
        faults: FormFaults = FormFaults(), now: UTCInstant, latestExpiry: UTCInstant?
    ) {
        self.all = all
        self.roles = roles
        self.query = query
        self.values = values
        self.faults = faults
        self.now = now
        self.latestExpiry = latestExpiry
    }

    package static let form = DeclaredForm(
        FormDeclaration(of: .createAccessToken),
        [
            .init("name", "Name", hint: "Who or what uses it, as the audit log will say."),
            .init("role", "Role", hint: "Only roles whose permissions you hold can be given."),
            .init("expires_at", "Expires", hint: "Prefer an expiry for people and experiments.", saysEmpty: true),
        ])

    private var found: [AccessToken] {
        let text = query.text?.lowercased() ?? ""
        let rows = all.filter { token in
            query.status.contains(token.status(at: now))
                && (text.isEmpty || token.name.lowercased().contains(text) || token.hint == query.text
                    || token.role.name == text)
        }
        switch query.sort {
        case .created: return rows.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
        case .used:
            return rows.sorted {
                ($0.lastUsedAt ?? .earliest, $0.id) > ($1.lastUsedAt ?? .earliest, $1.id)
            }
        case .name:
            return rows.sorted { ($0.name.lowercased(), $0.id.lowercased) < ($1.name.lowercased(), $1.id.lowercased) }
        }
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.access, title: words["Tokens"]) { html in
            frame.top(
                "Access",
                "Tokens for programs and people. A session of the console belongs to the token that began it.",
                to: &html
            ) { html in
                html.linkButton(words["New token"], .fragment("new"))
            }
            AccessTab.write(.tokens, frame, to: &html)
            Self.form.writeSummary(faults, words, to: &html)
            writeFilters(frame, to: &html)
            let rows = found
            let shown = rows.dropFirst((query.page - 1) * Self.rowsOnAPage).prefix(Self.rowsOnAPage)
            frame.list(
                shown, empty: "No tokens here", "Choose another status, clear the search, or create a token below.",
                to: &html
            ) { writeTable(Array(shown), words, to: &$0) }
            let hasNext = query.page * Self.rowsOnAPage < rows.count
            Paging(
                summary: words.shown(shown.count, of: Int64(rows.count)), first: query.page > 1 ? list.link() : nil,
                next: hasNext ? list.link([("page", "\(query.page + 1)")]) : nil
            ).write(words, to: &html)
            writeForm(frame, to: &html)
        }
    }

    // MARK: List

    private var list: ListAddress {
        let sort = query.sort == .created ? nil : query.sort.rawValue
        let parameters = [("status", query.status.rawValue), ("q", query.text), ("sort", sort)]
        return ListAddress("access", query: .given(parameters))
    }

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        frame.chips("Status", Filter.allCases, chosen: query.status, to: &html) { filter in
            let count = all.count { filter.contains($0.status(at: now)) }
            return (words.name(filter), list.with("status", filter.rawValue).link(), Int64(count))
        }
        frame.filters(HTMLLink("console", "access"), hidden: [("status", query.status.rawValue)]).write(
            [frame.order([(.created, "Newest"), (.used, "Latest use"), (.name, "Name")], chosen: query.sort)],
            to: &html, search: { frame.searchField(value: query.text, to: &$0) })
    }

    private func writeTable(_ rows: [AccessToken], _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Tokens"]),
            caption: words["Days in UTC. The secret of a token is stored as a hash only."], of: rows,
            [
                .heading(words["Name"]) { token, html in
                    html.link(named: token.name, token.link)
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

    // MARK: Form

    private func writeForm(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.add(.section, .class("section"), .aria("labelledby", "new")) { html in
            html.add(.h2, .id("new"), .tabindex(-1), text: words["New token"])
            html.form(AccessTab.tokensLink, [frame.keyed()], .class("panel stack")) { html in
                let mine = frame.viewer?.permissions ?? []
                let choices = roles.map { role in
                    FormOption(
                        value: role.name, text: role.name, isDisabled: !role.permissions.isSubset(of: mine))
                }
                Self.form.write(
                    values, faults, words,
                    options: [
                        "role": [FormOption(value: "", text: words["Choose a role"])] + choices,
                        "expires_at": expiries(words),
                    ], to: &html)
                html.mainAction(words["Create token"], hint: words["The token is shown once, on the next page."])
            }
        }
    }

    /// Instants instead of durations, so that a form sent twice says the same.
    private func expiries(_ words: ConsoleWords) -> [FormOption] {
        let unbounded = latestExpiry.map { words.text("with your token (%1)", words.instant($0)) } ?? words["never"]
        var options = [FormOption(value: "", text: unbounded)]
        for days in [7, 30, 90, 365] {
            let instant = now.adding(days: days)
            if let latestExpiry, instant > latestExpiry { continue }
            let text = words.text("in %1 days (%2)", words.number(Int64(days)), words.day(instant.day))
            options.append(FormOption(value: instant.rfc3339, text: text))
        }
        // What was chosen on an older page.
        let chosen = values["expires_at"]
        if !options.contains(where: { $0.value == chosen }) {
            let text = UTCInstant(rfc3339: chosen).map { words.instant($0) } ?? chosen
            options.append(FormOption(value: chosen, text: text))
        }
        return options
    }
}
