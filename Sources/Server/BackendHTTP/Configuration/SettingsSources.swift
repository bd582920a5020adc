import Foundation
import Yams

/// The sources of settings, strongest first: flags, environment variables, the file.
struct SettingsSources {
    private var sources: [(origin: Settings.Origin, values: [String: String])] = []
    private(set) var faults: [SettingsError.Fault] = []
    /// Variables that look like settings but are those of ``ServiceVariable``, in alphabetical order.
    private(set) var ignored: [String] = []

    private static let unknown = "is not a setting; `subguardd config example` prints all settings"

    /// Environment variables that are no settings: of the client, of the curl examples in the documentation, of
    /// Config/first-start, and the name of the configuration file.
    private static let foreignVariables: Set<String> = [
        "SUBGUARD_PREMIUM", "SUBGUARD_CONSENT", "SUBGUARD_STORE", "SUBGUARD_SERVER", "SUBGUARD_TOKEN", "SUBGUARD_URL",
        "SUBGUARD_SIGNING_KEY", "SUBGUARD_CATALOGUE_IMPORT", "SUBGUARD_CONFIG",
    ]

    /// Flags are pairs of setting keys and values.
    init(flags: [(key: String, value: String)], environment: [String: String], file: String?) {
        addFlags(flags)
        addEnvironment(environment)
        if let file { addFile(file) }
    }

    /// The text from the strongest source that sets it, and that source.
    func value(of setting: any DeclaredSetting) -> (text: String, origin: Settings.Origin)? {
        for source in sources {
            if let text = source.values[setting.key] { return (text, source.origin) }
        }
        return nil
    }

    private mutating func addFlags(_ flags: [(key: String, value: String)]) {
        var values: [String: String] = [:]
        for (key, value) in flags {
            guard SettingList.byKey[key] != nil else {
                note("--set \(key)", Self.unknown)
                continue
            }
            values[key] = value
        }
        sources.append((.flag, values))
    }

    private mutating func addEnvironment(_ environment: [String: String]) {
        let ours = environment.filter { $0.key.hasPrefix("SUBGUARD_") && !Self.foreignVariables.contains($0.key) }
        var values: [String: String] = [:]
        for (variable, value) in ours.sorted(by: { $0.key < $1.key }) {
            if ServiceVariable.matches(variable, value: value) {
                ignored.append(variable)
            } else if let setting = SettingList.all.first(where: { $0.variable == variable }) {
                if let twin = setting.fileVariable, ours[twin] != nil {
                    note(variable, "and \(twin) are both set; unset one of them")
                }
                values[setting.key] = value
            } else if let setting = SettingList.all.first(where: { $0.fileVariable == variable }) {
                values[setting.key] = readSecret(at: value, variable: variable)
            } else {
                note(variable, Self.unknown)
            }
        }
        sources.append((.environment, values))
    }

    private mutating func readSecret(at path: String, variable: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            note(variable, "the file \(path) cannot be read as UTF-8 text")
            return nil
        }
        var scalars = text.unicodeScalars[...]
        // What editors and tools add around a value: a byte order mark, and line ends.
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        while let last = scalars.last, last == "\n" || last == "\r" { scalars.removeLast() }
        guard !scalars.contains(where: { $0.properties.generalCategory == .control }) else {
            note(variable, "the file \(path) contains a line end or another control character inside the value")
            return nil
        }
        return String(scalars)
    }

    /// Without the text, in which a secret may stand.
    private static func reason(_ error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ": line \(mark.line), \(problem)"
        case .duplicatedKeysInMapping(let keys, _):
            ": given twice: \(keys.joined(separator: ", "))"
        default: ""
        }
    }

    private mutating func addFile(_ path: String) {
        guard FileManager.default.fileExists(atPath: path) else {
            return note("--config", "there is no file \(path)")
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return note("--config", "the file \(path) cannot be read as UTF-8 text")
        }
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            return note("--config", "the file \(path) is not YAML\(Self.reason(error))")
        }
        // A file that contains only comments sets nothing.
        guard let node else { return }
        guard let mapping = node.mapping else { return note("--config", "the file \(path) is not a YAML mapping") }
        var values: [String: String] = [:]
        for (name, value) in mapping {
            guard let key = name.string, SettingList.byKey[key] != nil else {
                note(name.string ?? "?", "\(Self.unknown) (in \(path))")
                continue
            }
            // `metrics_token:` is empty; `metrics_token: null` is not the text "null".
            guard value.null == nil || value.scalar?.string.isEmpty == true else {
                note(key, "must be a value; leave the line out for the default (in \(path))")
                continue
            }
            guard let text = Self.text(of: value) else {
                note(key, "must be one value or a list of values (in \(path))")
                continue
            }
            guard value.sequence == nil || SettingList.byKey[key]?.isList == true else {
                note(key, "must be one value, not a list (in \(path))")
                continue
            }
            values[key] = text
        }
        sources.append((.file(path), values))
    }

    private static func text(of node: Node) -> String? {
        if let scalar = node.scalar { return scalar.string }
        guard let sequence = node.sequence else { return nil }
        let parts = sequence.compactMap(\.scalar?.string)
        return parts.count == sequence.count ? parts.joined(separator: ",") : nil
    }

    private mutating func note(_ key: String, _ detail: String) {
        faults.append(SettingsError.Fault(key: key, detail: detail))
    }
}
