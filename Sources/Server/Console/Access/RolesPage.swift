import HTML
package import ServerAccess
import SubGuardContract
import SubGuardDomain

/// Roles as a matrix: permissions in rows, roles in columns; the custom ones can be edited.
package struct RolesPage: ConsolePage {
    let current: [Role]
    /// The custom roles, then an empty column for a new one.
    private let columns: [Column]
    private let tag: String
    private let refusals: [Refusal]
    /// Whether another person saved while the form was open.
    private let race: Race?

    /// - Parameters:
    ///   - current: the roles as they are now.
    ///   - columns: what was sent, if it was not accepted.
    ///   - tag: the entity tag of `current`.
    package init(
        current: [Role], columns: [Column]? = nil, tag: String, refusals: [Refusal] = [], race: Race? = nil
    ) {
        self.current = current
        let own = columns ?? race?.merged ?? current.filter { !$0.isBuiltIn }.map { Column($0) }
        // The last column is for a new role.
        let hasNew = own.last.map { $0.base == nil && $0.name.isEmpty } ?? false
        self.columns = hasNew ? own : own + [Column(name: "", permissions: [])]
        self.tag = tag
        self.refusals = refusals
        self.race = race
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .access, "Roles", "What each role may do. Built-in roles are fixed; your own ones can be edited here."
        ) { html in
            AccessTab.write(.roles, frame, to: &html)
            frame.notice(["saved": "The roles are saved."], to: &html)
            frame.refusal(refusals, to: &html)
            if let race { write(race, words, to: &html) }
            html.form(HTMLLink("console", "access", "roles"), [("tag", tag)], .data("guard")) { html in
                writeMatrix(words, to: &html)
                html.actions("actions below-table") { html in
                    html.submit(words["Save roles"], .class("primary"))
                    html.add(
                        .span, .class("hint"),
                        text: words[
                            "Applies to all tokens of a role at once. A role with valid tokens cannot be removed."])
                }
            }
        }
    }

    private func writeMatrix(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let fixed = current.filter(\.isBuiltIn).map { role in
            TableColumn<Permission>.cell(
                .class("grant"),
                head: { html in
                    html.text(role.name)
                    html.add(.small, .class("muted"), text: words["built in"])
                }
            ) { permission, html in write(role.allows(permission), words, to: &html) }
        }
        let own = columns.enumerated().map { index, column in
            TableColumn<Permission>.cell(.class("grant"), head: { writeHead(index, column, words, to: &$0) }) {
                permission, html in
                html.add(
                    .input, .type("checkbox"), .name("permissions_\(index)"), .value(permission.rawValue),
                    .aria("label", words.text("%1: %2", label(column, words), words.name(permission))),
                    column.permissions.contains(permission) ? .checked : nil)
            }
        }
        let names = TableColumn<Permission>.heading(words["Permission"]) { permission, html in
            html.text(words.name(permission))
            html.addName(permission.rawValue, .class("muted"))
        }
        html.table(
            .label(words["Roles"]), caption: words["Permissions in rows, roles in columns."], style: "matrix",
            of: Permission.allCases, [names] + fixed + own)
    }

    private func write(_ isGranted: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.span, .aria("hidden", "true"), text: isGranted ? "✓" : "–")
        html.add(.span, .class("unseen"), text: words[isGranted ? "yes" : "no"])
    }

    private func label(_ column: Column, _ words: ConsoleWords) -> String {
        column.name.isEmpty ? words["new role"] : column.name
    }

    private func writeHead(_ index: Int, _ column: Column, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let isNew = index == columns.count - 1
        html.add(
            .input, .name("name_\(index)"), .value(column.name), .maxLength(40), .autocomplete("off"),
            .size(min(max(column.name.count, 12), 40)),
            .spellcheck(false), isNew ? .placeholder(words["new role"]) : nil,
            .aria("label", isNew ? words["Name of a new role"] : words.text("Name of the role %1", column.name)),
            column.faults.isEmpty ? nil : .aria("invalid", "true"),
            column.faults.isEmpty ? nil : .aria("describedby", "fault-\(index)"))
        // What the form began with, so that no change of another person is lost when both save.
        if let base = column.base {
            let had = Permission.allCases.filter(base.permissions.contains).map(\.rawValue).joined(separator: " ")
            html.hidden("was_\(index)", base.name)
            html.hidden("had_\(index)", had)
        }
        if !isNew {
            html.add(.label, .class("remove")) { html in
                html.add(
                    .input, .type("checkbox"), .name("remove_\(index)"), .value("yes"),
                    .aria("label", words.text("Remove the role %1", column.name)), column.isRemoved ? .checked : nil)
                html.text(words["remove"])
            }
        }
        if !column.faults.isEmpty {
            html.add(
                .p, .id("fault-\(index)"), .class("fault"),
                text: column.faults.map(words.plain).joined(separator: " "))
        }
    }
}
