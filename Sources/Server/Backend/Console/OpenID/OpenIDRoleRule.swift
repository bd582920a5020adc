/// Which role a group or a verified mail address has: `group:admins=owner`, `mail:ann@example.com=analyst`.
package struct OpenIDRoleRule: Sendable, Hashable {
    private enum Condition: Hashable {
        case group(String)
        /// In lower case.
        case mail(String)
    }

    private let condition: Condition
    package let role: String

    /// Nil for any other text.
    package init?(_ text: String) {
        // The last one, because the name of a group may contain others.
        guard text.utf8.count <= 512, let mark = text.lastIndex(of: "="), let colon = text.firstIndex(of: ":"),
            colon < mark
        else { return nil }
        let value = String(text[text.index(after: colon)..<mark])
        role = String(text[text.index(after: mark)...])
        guard Role.isName(role), !value.isEmpty, value.first != " ", value.last != " " else { return nil }
        switch text[..<colon] {
        case "group": condition = .group(value)
        case "mail":
            guard value.contains("@"), !value.contains(" ") else { return nil }
            condition = .mail(value.lowercased())
        default: return nil
        }
    }

    package var text: String {
        switch condition {
        case .group(let name): "group:\(name)=\(role)"
        case .mail(let address): "mail:\(address)=\(role)"
        }
    }

    package func matches(_ person: OpenIDPerson) -> Bool {
        switch condition {
        case .group(let name): person.groups.contains(name)
        case .mail(let address): person.mail == address
        }
    }
}
