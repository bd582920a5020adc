import Cryptography

/// Which role a group or a verified mail address has: `group:admins=owner`, `mail:ann@example.com=analyst`.
package struct OpenIDRoleRule: Sendable, Hashable {
    private enum Condition: Hashable {
        case group(String)
        /// With ASCII letters in lower case.
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
            condition = .mail(OpenIDPerson.folded(value))
        default: return nil
        }
    }

    package var text: String {
        switch condition {
        case .group(let name): "group:\(name)=\(role)"
        case .mail(let address): "mail:\(address)=\(role)"
        }
    }

    /// Compares bytes: for Swift, texts are equal that look alike, such as K and the sign of Kelvin, and another person
    /// may own such an address.
    package func matches(_ person: OpenIDPerson) -> Bool {
        switch condition {
        case .group(let name): person.groups.contains { $0.utf8.elementsEqual(name.utf8) }
        case .mail(let address): person.mail?.utf8.elementsEqual(address.utf8) ?? false
        }
    }
}

/// What gives a person their role: a rule, for one issuer and client.
package struct OpenIDGrant: Sendable, Hashable {
    package let issuer: String
    package let role: String
    /// SHA-256 of all of it.
    package let hash: [UInt8]

    package init(_ rule: OpenIDRoleRule, issuer: String, clientID: String) {
        self.issuer = issuer
        role = rule.role
        hash = SHA256.hash(of: "\(issuer)\u{0}\(clientID)\u{0}\(rule.text)".utf8)
    }
}
