import Configuration
import Foundation
import Yams

/// Where settings come from, strongest first: flags, variables, file.
struct SettingsSources {
    struct Source {
        let name: String
        let provider: any ConfigProvider
        /// A setting's name as this source spells it, for messages.
        let spelling: @Sendable (Setting) -> String
    }

    private(set) var sources: [Source] = []
    private(set) var faults: [SettingsError.Fault] = []

    /// Flags are pairs of setting keys and values.
    init(flags: [(key: String, value: String)], environment: [String: String], file: String?) {
        addFlags(flags)
        addEnvironment(environment)
        if let file { addFile(file) }
    }

    private mutating func addFlags(_ flags: [(key: String, value: String)]) {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in flags {
            guard Setting.all.contains(where: { $0.key == key }) else {
                note("--set \(key)", "there is no such setting")
                continue
            }
            values[AbsoluteConfigKey([key])] = ConfigValue(.string(value), isSecret: true)
        }
        sources.append(
            Source(name: "flag", provider: InMemoryProvider(name: "flags", values: values)) { "--set \($0.key)" })
    }

    private mutating func addEnvironment(_ environment: [String: String]) {
        let ours = environment.filter { $0.key.hasPrefix("SUBGUARD_") && !Setting.foreignVariables.contains($0.key) }
        var values: [String: String] = [:]
        for (variable, value) in ours.sorted(by: { $0.key < $1.key }) {
            if Setting.all.contains(where: { $0.variable == variable }) {
                if ours["\(variable)_FILE"] != nil { note(variable, "is set, and \(variable)_FILE too") }
                values[variable] = value
            } else if let secret = Setting.all.first(where: { $0.isSecret && "\($0.variable)_FILE" == variable }) {
                values[secret.variable] = readSecret(at: value, variable: variable)
            } else {
                note(variable, "there is no such setting")
            }
        }
        let provider = EnvironmentVariablesProvider(environmentVariables: values, secretsSpecifier: .all)
            .prefixKeys(with: "subguard")
        sources.append(Source(name: "environment", provider: provider) { $0.variable })
    }

    private mutating func readSecret(at path: String, variable: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            note(variable, "the file cannot be read")
            return nil
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private mutating func addFile(_ path: String) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return note("--config", "the file \(path) cannot be read")
        }
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            return note("--config", "the file \(path) is not YAML")
        }
        // A file with comments only sets nothing.
        guard let node else { return }
        guard let mapping = node.mapping else { return note("--config", "the file \(path) is not a YAML mapping") }
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in mapping {
            guard let key = name.string, Setting.all.contains(where: { $0.key == key }) else {
                note(name.string ?? "?", "there is no such setting (in \(path))")
                continue
            }
            guard let text = Self.text(of: value) else {
                note(key, "must be one value or a list of values (in \(path))")
                continue
            }
            values[AbsoluteConfigKey([key])] = ConfigValue(.string(text), isSecret: true)
        }
        sources.append(
            Source(name: "file \(path)", provider: InMemoryProvider(name: path, values: values)) { $0.key })
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
