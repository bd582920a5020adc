import HTTPServer
import Mail
import Outbound
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Telemetry

/// The type of a setting: how its value is parsed, validated and written.
package struct SettingKind<Value: Sendable>: Sendable {
    let read: @Sendable (String) throws(InvalidSetting) -> Value
    /// Formats a value for the configuration file.
    let text: @Sendable (Value) -> String
    /// Unit and range, or the choices, for the configuration file.
    var bounds: String?
    var isQuoted = true
    /// Whether it has several values, separated by commas.
    var isList = false
    /// Formats a secret value without its secret part; nil if nothing of it may be shown.
    var redacted: (@Sendable (Value) -> String)?

    /// A kind with one message for all invalid values, "must be …".
    init(
        _ requirement: String, text: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.text = text
        self.read = { (given) throws(InvalidSetting) in
            guard let value = read(given) else { throw InvalidSetting(detail: "must be \(requirement)") }
            return value
        }
    }

    private init(
        text: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) throws(InvalidSetting) -> Value
    ) {
        self.text = text
        self.read = read
    }

    /// The same texts for another value type.
    fileprivate func map<Other>(
        _ convert: @escaping @Sendable (Value) -> Other, back: @escaping @Sendable (Other) -> Value
    ) -> SettingKind<Other> {
        let (read, text) = (read, text)
        var kind = SettingKind<Other>(
            text: { text(back($0)) },
            read: { (given) throws(InvalidSetting) in convert(try read(given)) })
        kind.bounds = bounds
        kind.isQuoted = isQuoted
        return kind
    }
}

// Numbers and choices.
extension SettingKind {
    /// An integer; `unit` is used only in the description.
    static func integer(_ range: ClosedRange<Int>, unit: String? = nil) -> SettingKind<Int> {
        let end = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
        let bounds = "\(range.lowerBound) \(end)\(unit.map { " \($0)" } ?? "")"
        var kind = SettingKind<Int>("a whole number, \(bounds)", text: { "\($0)" }) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
        kind.bounds = "\(bounds)."
        kind.isQuoted = false
        return kind
    }

    static func seconds(_ range: ClosedRange<Int>) -> SettingKind<Duration> {
        SettingKind<Int>.integer(range, unit: "seconds").map({ .seconds($0) }, back: { Int($0 / .seconds(1)) })
    }

    /// Written in MiB, stored in bytes.
    static func mebibytes(_ range: ClosedRange<Int>) -> SettingKind<Int> {
        SettingKind<Int>.integer(range, unit: "MiB").map({ $0 << 20 }, back: { $0 >> 20 })
    }

    static var boolean: SettingKind<Bool> {
        var kind = SettingKind<Bool>("true or false", text: { "\($0)" }) { Bool($0) }
        kind.isQuoted = false
        return kind
    }

    /// One of the raw values of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>() -> SettingKind<Choice> {
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        var kind = SettingKind<Choice>("one of \(names)", text: \.rawValue) { text in
            Choice.allCases.first { $0.rawValue.lowercased() == text.lowercased() }
        }
        kind.bounds = "One of \(names)."
        return kind
    }
}

// Texts.
extension SettingKind {
    /// The name of a time zone that the system knows.
    static var timeZone: SettingKind<String> {
        var kind = SettingKind<String>("UTC or a time zone such as Europe/Paris", text: { $0 }) { text in
            ReportCalendar(zoneName: text) == nil ? nil : text
        }
        kind.bounds = "UTC, or a name of the IANA time zone database."
        return kind
    }

    /// An IPv4 or IPv6 literal.
    static var address: SettingKind<String> {
        SettingKind<String>("an IPv4 or IPv6 address", text: { $0 }) { SocketAddress(numeric: $0) == nil ? nil : $0 }
    }

    /// An address, or `unix:` and the absolute path of a socket.
    static var listener: SettingKind<String> {
        SettingKind<String>(
            "an IPv4 or IPv6 address, or unix: and the absolute path of a socket of up to 107 bytes", text: { $0 }
        ) { text in
            if let path = UnixSocket.path(ofHost: text) { return UnixSocket.isPath(path) ? text : nil }
            return SocketAddress(numeric: text) == nil ? nil : text
        }
    }

    /// Permissions of a file in octal digits.
    static var permissions: SettingKind<Int> {
        SettingKind<Int>("permissions in octal, 0600 to 0777", text: { "0" + String($0, radix: 8) }) { text in
            Int(text, radix: 8).flatMap { (0o600...0o777).contains($0) ? $0 : nil }
        }
    }

    /// The path of a file or folder; nil when empty.
    static var path: SettingKind<String?> {
        SettingKind<String?>("a path", text: { $0 ?? "" }) { .some($0.isEmpty ? nil : $0) }
    }

    static var text: SettingKind<String> { SettingKind<String>("a text", text: { $0 }) { $0 } }

    /// A host name in lower case, or empty.
    static var hostName: SettingKind<String> {
        SettingKind<String>("a host name in lower case", text: { $0 }) { text in
            text.isEmpty || isHostName(text) ? text : nil
        }
    }

    private static func isHostName(_ text: String) -> Bool {
        OutboundURL("http://\(text)/", schemes: ["http"])?.host == text
    }

    /// Up to 128 letters, digits and `. _ ~ -`.
    static var accessKey: SettingKind<String> {
        SettingKind<String>("up to 128 letters, digits and . _ ~ -", text: { $0 }) { text in
            let isKey = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0)) }
            return isKey && text.utf8.count <= 128 ? text : nil
        }
    }

    static var databaseURL: SettingKind<SQLDatabaseURL> {
        var kind = SettingKind<SQLDatabaseURL>(
            text: \.description,
            read: { (text) throws(InvalidSetting) in
                do throws(SQLDatabaseURLError) {
                    return try SQLDatabaseURL(text)
                } catch {
                    throw InvalidSetting(detail: "\(error)")
                }
            })
        kind.redacted = \.description
        return kind
    }

    /// Nil when empty.
    static var optionalDatabaseURL: SettingKind<SQLDatabaseURL?> {
        let given = databaseURL
        var kind = SettingKind<SQLDatabaseURL?>(
            text: { $0?.description ?? "" },
            read: { (text) throws(InvalidSetting) in text.isEmpty ? nil : try given.read(text) })
        kind.redacted = { $0?.description ?? "" }
        return kind
    }

    /// A URL with one of these schemes, nil when empty; user and password only if `allowsCredentials`.
    static func url(schemes: [String], allowsCredentials: Bool = false) -> SettingKind<OutboundURL?> {
        let starts = schemes.map { "\($0)://" }.joined(separator: " or ")
        let limit = allowsCredentials ? "" : ", without user and password"
        return SettingKind<OutboundURL?>(
            "an address that begins with \(starts)\(limit)", text: { $0?.text ?? "" }
        ) { text in
            if text.isEmpty { return .some(nil) }
            return OutboundURL(text, schemes: schemes, allowsCredentials: allowsCredentials).map { .some($0) }
        }
    }

    /// Where browsers reach the server, nil when empty.
    static var publicURL: SettingKind<OutboundURL?> {
        let given = url(schemes: ["https", "http"])
        return SettingKind<OutboundURL?>(
            """
            an address that begins with https:// or http://, without user, password, query and fragment; its path has \
            letters, digits and - . _ ~, and does not begin as a path of the server
            """, text: given.text
        ) { text in
            guard !text.isEmpty else { return .some(nil) }
            guard let url = try? given.read(text) else { return nil }
            return !url.hasMore && PublicAddress(url) != nil ? .some(url) : nil
        }
    }

    /// The address of an event sink, nil when empty.
    static var eventSink: SettingKind<EventSinkURL?> {
        SettingKind<EventSinkURL?>(
            """
            an address such as clickhouse://user@host1,host2/database?cluster=name, with cluster if there are several \
            hosts, one port for all, tls=on or off, and without a password
            """, text: { $0?.description ?? "" }
        ) { text in
            text.isEmpty ? .some(nil) : EventSinkURL(text).map { .some($0) }
        }
    }
}

// Lists, comma-separated.
extension SettingKind {
    /// Texts, comma-separated, each read by `element`.
    private static func list<Element: Sendable>(
        _ requirement: String, minimumCount: Int = 0, maximumCount: Int = .max,
        text: @escaping @Sendable (Element) -> String,
        element: @escaping @Sendable (String) -> Element?
    ) -> SettingKind<[Element]> {
        var kind = SettingKind<[Element]>(requirement, text: { $0.map(text).joined(separator: ",") }) { given in
            let parts = given.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
            let elements = parts.compactMap(element)
            return elements.count == parts.count && parts.count >= minimumCount && parts.count <= maximumCount
                ? elements : nil
        }
        kind.isList = true
        return kind
    }

    /// At least one.
    static var appStoreEnvironments: SettingKind<[PurchaseEnvironment]> {
        let names = PurchaseEnvironment.allCases.map(\.appStoreName).joined(separator: ",")
        return list("one or both of \(names)", minimumCount: 1, text: \.appStoreName) {
            PurchaseEnvironment(appStoreName: $0)
        }
    }

    /// Up to ten different URLs with one of these schemes, without user and password. A comma within one stays.
    static func urls(schemes: [String]) -> SettingKind<[OutboundURL]> {
        let starts = schemes.map { "\($0)://" }
        var kind = SettingKind<[OutboundURL]>(
            """
            up to ten different addresses that begin with \(starts.joined(separator: " or ")), without user and \
            password, comma-separated
            """,
            text: { $0.map(\.text).joined(separator: ",") }
        ) { given in
            var parts: [String] = []
            for part in given.split(separator: ",", omittingEmptySubsequences: false).map({ $0.trimmed }) {
                if parts.isEmpty || part.isEmpty || starts.contains(where: part.lowercased().hasPrefix) {
                    parts.append(part)
                } else {
                    parts[parts.count - 1] += ",\(part)"
                }
            }
            parts.removeAll(where: \.isEmpty)
            let urls = parts.compactMap { OutboundURL($0, schemes: schemes) }
            return urls.count == parts.count && Set(parts).count == parts.count && parts.count <= 10 ? urls : nil
        }
        kind.isList = true
        return kind
    }

    static var texts: SettingKind<[String]> { list("texts, comma-separated", text: { $0 }) { $0 } }

    /// Origins such as `https://app.example.org`, or `*`.
    static var origins: SettingKind<[String]> {
        list("origins such as https://app.example.org, without a path, or *, comma-separated", text: { $0 }) { text in
            guard text != "*" else { return text }
            guard let mark = text.firstRange(of: "://"), text.utf8.count <= 255 else { return nil }
            let (scheme, rest) = (text[..<mark.lowerBound], text[mark.upperBound...])
            let isScheme =
                scheme.first?.isLetter == true && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
            let isHost = !rest.isEmpty && rest.allSatisfy { $0.isLetter || $0.isNumber || ".-:[]_".contains($0) }
            return isScheme && isHost && text.allSatisfy(\.isASCII) ? text : nil
        }
    }

    static var hosts: SettingKind<[String]> {
        list("host names in lower case, comma-separated", text: { $0 }) { host in
            isHostName(host) ? host : nil
        }
    }

    /// Addresses or ranges (`10.0.0.0/8`).
    static var addressRanges: SettingKind<[AddressRange]> {
        let requirement = "IPv4 or IPv6 addresses or ranges such as 10.0.0.0/8, comma-separated"
        // No ranges are trusted by default, so none is ever written.
        return list(requirement, text: { _ in "" }) { AddressRange($0) }
    }

    /// Mail addresses, at most `maximumCount`.
    static func mailboxes(maximumCount: Int) -> SettingKind<[EmailMailbox]> {
        let requirement =
            maximumCount == 1 ? "one mail address" : "at most \(maximumCount) mail addresses, comma-separated"
        return list(requirement, maximumCount: maximumCount, text: \.address) { EmailMailbox($0) }
    }

    /// Patterns of ``KnownReleases``.
    static var releases: SettingKind<[String]> {
        list("releases of up to 96 characters, comma-separated, with * only at the end of one", text: { $0 }) {
            KnownReleases.isPattern($0) ? $0 : nil
        }
    }

    /// Rules of ``OpenIDRoleRule``.
    static var openIDRoles: SettingKind<[OpenIDRoleRule]> {
        list("rules such as group:admins=owner or mail:ann@example.com=analyst, comma-separated", text: \.text) {
            OpenIDRoleRule($0)
        }
    }

    /// Scopes of OpenID Connect (RFC 6749 section 3.3), `openid` among them.
    static var openIDScopes: SettingKind<[String]> {
        SettingKind<[String]>("scopes, comma-separated, openid among them", text: { $0.joined(separator: ",") }) {
            text in
            let scopes = text.split { $0 == "," || $0 == " " }.map(String.init)
            let isValid = scopes.allSatisfy { scope in
                scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
            }
            return isValid && scopes.contains("openid") ? scopes : nil
        }
    }

    /// Keys as `name:base64`, separated by commas or line breaks.
    static var signingKeys: SettingKind<[IngestSigningKey]> {
        // Keys are secret and have no default, so none is ever written.
        SettingKind<[IngestSigningKey]>(
            "keys written name:base64, each of 16 to 64 bytes, comma-separated, every name once", text: { _ in "" }
        ) { text in
            let parts = text.split { $0 == "," || $0.isNewline }.map { $0.filter { !$0.isWhitespace } }
                .filter { !$0.isEmpty }
            let keys = parts.compactMap { IngestSigningKey($0) }
            return keys.count == parts.count && Set(keys.map(\.name)).count == keys.count ? keys : nil
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
