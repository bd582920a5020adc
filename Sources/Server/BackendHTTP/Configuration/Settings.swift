import Backend
import Configuration
import HTTPServer
import Outbound
import SQLDatabase

/// A checked configuration: every setting with its value and where that came from.
package struct Settings: Sendable {
    package struct Entry: Sendable {
        package let setting: Setting
        package let value: String
        /// `default`, `file PATH`, `environment` or `flag`.
        package let origin: String

        /// The value as it may be printed.
        package var printable: String {
            if case .databaseURL = setting.kind { return (try? SQLDatabaseURL(value).description) ?? "***" }
            return setting.isSecret && !value.isEmpty ? "***" : value
        }
    }

    package let entries: [Entry]

    /// Throws ``SettingsError`` with all faults at once.
    package init(flags: [(key: String, value: String)], environment: [String: String], file: String?) throws {
        let sources = SettingsSources(flags: flags, environment: environment, file: file)
        var faults = sources.faults
        entries = Setting.all.map { setting in
            for source in sources.sources {
                let key = AbsoluteConfigKey([setting.key])
                guard let found = try? source.provider.value(forKey: key, type: .string).value,
                    case .string(let value) = found.content
                else { continue }
                if let fault = setting.fault(of: value) {
                    faults.append(SettingsError.Fault(key: source.spelling(setting), detail: fault))
                }
                return Entry(setting: setting, value: value, origin: source.name)
            }
            return Entry(setting: setting, value: setting.fallback, origin: "default")
        }
        faults += sources.faultsOfTLS(in: entries)
        faults += sources.faultsOfMetrics(in: entries)
        faults += sources.faultsOfAlerts(in: entries)
        faults += sources.faultsOfSignatures(in: entries)
        if !faults.isEmpty { throw SettingsError(faults: faults) }
    }

    package func text(_ setting: Setting) -> String {
        entries.first { $0.setting.key == setting.key }?.value ?? setting.fallback
    }

    /// 0 for a setting that is not a number; the value itself was checked when the settings were made.
    package func integer(_ setting: Setting) -> Int { Int(text(setting)) ?? 0 }

    package func boolean(_ setting: Setting) -> Bool { text(setting) == "true" }

    package func list(_ setting: Setting) -> [String] { Self.parts(of: text(setting)) }

    fileprivate static func parts(of value: String) -> [String] {
        value.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
    }

    package func seconds(_ setting: Setting) -> Duration { .seconds(integer(setting)) }
}

extension Setting {
    /// Why a value is not acceptable, or `nil`.
    func fault(of value: String) -> String? {
        switch kind {
        case .address: SocketAddress(numeric: value) == nil ? "must be an IPv4 or IPv6 address" : nil
        case .addressRanges:
            Settings.parts(of: value).allSatisfy { AddressRange($0) != nil }
                ? nil : "must be IPv4 or IPv6 addresses or ranges (10.0.0.0/8), comma-separated"
        case .accessKey:
            value.utf8.count <= 128
                && value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0)) }
                ? nil : "must be up to 128 letters, digits and . _ ~ -"
        case .path, .text: nil
        case .url(let schemes, let allowsCredentials):
            value.isEmpty || OutboundURL(value, schemes: schemes, allowsCredentials: allowsCredentials) != nil
                ? nil
                : "must be an address that begins with \(schemes.map { "\($0)://" }.joined(separator: " or "))"
                    + (allowsCredentials ? "" : ", without user and password")
        case .mailboxes(let maximumCount):
            (value.isEmpty ? [] : Settings.parts(of: value)).allSatisfy { EmailMailbox($0) != nil }
                && Settings.parts(of: value).count <= maximumCount
                ? nil
                : maximumCount == 1
                    ? "must be a mail address" : "must be at most \(maximumCount) mail addresses, comma-separated"
        case .hosts:
            Settings.parts(of: value).allSatisfy { OutboundURL("http://\($0)/", schemes: ["http"])?.host == $0 }
                ? nil : "must be host names in lower case, comma-separated"
        case .signingKeys:
            Settings.signingKeys(in: value) != nil
                ? nil : "must be keys as name:base64 with 16 to 64 bytes each, comma-separated, no name twice"
        case .releases:
            Settings.parts(of: value).allSatisfy { KnownReleases.isPattern($0) }
                ? nil : "must be releases of up to 96 characters, comma-separated, with * only at the end of one"
        case .boolean: ["true", "false"].contains(value) ? nil : "must be true or false"
        case .choice(let choices): choices.contains(value) ? nil : "must be one of \(choices.joined(separator: ", "))"
        case .integer(let range):
            Int(value).map { range.contains($0) } == true
                ? nil : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .databaseURL:
            switch Result(catching: { try SQLDatabaseURL(value) }) {
            case .success: nil
            case .failure(let error): "\(error)"
            }
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
