import HTML
package import ServerAccess
import SubGuardContract
package import SubGuardDomain

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

extension RolesPage {
    /// A custom role as the form shows it.
    package struct Column: Sendable {
        package var name: String
        package var permissions: Set<Permission>
        package var isRemoved: Bool
        package var faults: [Fault]
        /// The role that the form began with; nil for a new one.
        package let base: Role?

        package init(
            name: String, permissions: Set<Permission>, isRemoved: Bool = false, faults: [Fault] = [],
            base: Role? = nil
        ) {
            self.name = name
            self.permissions = permissions
            self.isRemoved = isRemoved
            self.faults = faults
            self.base = base
        }

        init(_ role: Role) { self.init(name: role.name, permissions: role.permissions, base: role) }

        var isEmpty: Bool { base == nil && name.isEmpty && permissions.isEmpty }

        var isChanged: Bool {
            isRemoved || base == nil || base?.name != name || base?.permissions != permissions
        }
    }

    /// What happened while the form was open.
    package struct Race: Sendable {
        /// What the form had sent.
        let mine: [Column]
        /// Roles that another person has added or removed.
        let (added, removed): ([String], [String])
        /// What the matrix shows: the roles as they are now, with what was changed in the form.
        package let merged: [Column]

        /// Merges the form with the roles as they are now. A role that another person has added stays; one that only
        /// one side has changed is as that side has it; one that both have changed is as the form has it.
        package init(mine: [Column], current: [Role]) {
            var rest = mine.filter { !$0.isEmpty }
            self.mine = rest
            var merged: [Column] = []
            var added: [String] = []
            for role in current where !role.isBuiltIn {
                let index =
                    rest.firstIndex { $0.base?.name == role.name }
                    ?? rest.firstIndex { $0.base == nil && $0.name == role.name }
                guard let index else {
                    added.append(role.name)
                    merged.append(Column(role))
                    continue
                }
                let column = rest.remove(at: index)
                merged.append(
                    column.isChanged
                        ? Column(
                            name: column.name, permissions: column.permissions, isRemoved: column.isRemoved, base: role)
                        : Column(role))
            }
            // What is left are new roles, and those that another person has removed.
            removed = rest.filter { $0.base != nil && !$0.isRemoved }.map(\.name)
            merged += rest.filter { $0.isChanged && !$0.isRemoved }
                .map { Column(name: $0.name, permissions: $0.permissions) }
            (self.added, self.merged) = (added, merged)
        }
    }

    /// Both versions side by side.
    func write(_ race: Race, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let now = current.filter { !$0.isBuiltIn }
        func theirs(_ name: String) -> Set<Permission>? { now.first { $0.name == name }?.permissions }
        func yours(_ name: String) -> Set<Permission>? {
            race.mine.first { $0.name == name && !$0.isRemoved }?.permissions
        }
        let names = Set(now.map(\.name) + race.mine.map(\.name))
            .filter { !$0.isEmpty && theirs($0) != yours($0) }.sorted()
        html.notice(.warning, role: .alert, hasFocus: true) { html in
            html.paragraph(
                words[
                    "Another user saved the roles after you opened this page, so nothing was saved. The "
                        + "matrix has their changes and yours; for a role that both changed, it has yours. "
                        + "Compare, correct, save again."])
            for (phrase, names) in [
                ("Added by another user, and kept: %1." as Sentence, race.added),
                (
                    "Removed by another user: %1. A role that you changed is there again as a new one; "
                        + "clear its name to leave it out.", race.removed
                ),
            ]
            where !names.isEmpty {
                html.paragraph(words.text(phrase, names.joined(separator: ", ")))
            }
        }
        guard !names.isEmpty else { return }
        html.table(
            .label(words["Roles that differ. Your version is in bold."]),
            caption: words["Roles that differ. Your version is in bold."], frame: "scroll race", of: names,
            [
                .heading(words["Role"]) { name, html in html.text(name) },
                .text(words["Now"], .class("breaks")) { words.list(theirs($0)) },
                .text(words["Your version"], .class("breaks")) { name, html in
                    html.add(.strong, text: words.list(yours(name)))
                },
            ])
    }
}

extension ConsoleWords {
    fileprivate func list(_ permissions: Set<Permission>?) -> String {
        guard let permissions else { return self["no such role"] }
        return Permission.allCases.filter(permissions.contains).map(\.rawValue).joined(separator: ", ")
    }
}
