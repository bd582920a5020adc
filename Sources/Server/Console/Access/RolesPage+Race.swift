import HTML
package import ServerAccess
import SubGuardContract
package import SubGuardDomain

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
