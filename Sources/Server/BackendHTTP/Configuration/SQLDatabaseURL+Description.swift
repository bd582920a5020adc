extension SQLDatabaseURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The password becomes `***` and parameters, which may hold one too, become `…`. A text in which the password's
    /// place is in doubt becomes the scheme alone.
    package var description: String {
        switch location {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres: Self.redacted(text)
        }
    }

    package var debugDescription: String { description }

    /// For `dump`, which would otherwise print the stored text.
    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }

    private static func redacted(_ text: String) -> String {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count + 3)
        let address = rest.prefix { !"?#".contains($0) }
        let parameters = rest.dropFirst(address.count)
        // An @ behind a ? may be a parameter's or may end a password that holds a bare ?.
        guard !parameters.contains("@") else { return "\(scheme)://…" }
        let ending = parameters.isEmpty ? "" : "?…"
        guard let at = address.lastIndex(of: "@") else {
            return "\(scheme)://\(hasNumericPort(address) ? String(address) : "…")\(ending)"
        }
        let user = address[..<at].prefix { $0 != ":" }
        let password = user.endIndex == at ? "" : ":***"
        return "\(scheme)://\(user)\(password)\(address[at...])\(ending)"
    }

    /// Without an @, what stands behind the colon may be a password whose @ was forgotten.
    private static func hasNumericPort(_ address: Substring) -> Bool {
        guard let colon = address.firstIndex(of: ":") else { return true }
        return address[address.index(after: colon)...].prefix { $0 != "/" }.allSatisfy(\.isNumber)
    }
}
