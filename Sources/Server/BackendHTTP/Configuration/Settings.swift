/// A validated configuration: the value and origin of every setting. `settings[\.port]` is an `Int`.
package struct Settings: Sendable {
    package static let list = SettingList()

    package struct Entry: Sendable {
        package let setting: any DeclaredSetting
        /// The text as written in the source.
        package let text: String
        package let origin: Origin

        /// The text for reports, without secrets.
        package var printable: String { setting.printable(text) }
    }

    /// The source of a value, strongest first.
    package enum Origin: Sendable, Equatable, CustomStringConvertible {
        case flag
        case environment
        case file(String)
        case standard

        package var description: String {
            switch self {
            case .flag: "flag"
            case .environment: "environment"
            case .file(let path): "file \(path)"
            case .standard: "default"
            }
        }

        /// A fault of a setting in this source; a file is named.
        func fault(_ setting: any DeclaredSetting, _ detail: String) -> SettingsError.Fault {
            let place = if case .file(let path) = self { " (in \(path))" } else { "" }
            return SettingsError.Fault(key: spelling(setting), detail: detail + place)
        }

        /// The name of a setting as spelled in this source.
        private func spelling(_ setting: any DeclaredSetting) -> String {
            switch self {
            case .flag: "--set \(setting.key)"
            case .environment: setting.variable
            case .file, .standard: setting.key
            }
        }
    }

    /// In the order of ``SettingList``.
    package let entries: [Entry]
    /// Environment variables that look like settings but belong to the surroundings; see ``ServiceVariable``.
    package let ignoredVariables: [String]
    private let values: [String: any Sendable]

    /// Reads and checks all sources. Throws ``SettingsError`` with every fault.
    package init(flags: [(key: String, value: String)], environment: [String: String], file: String?) throws {
        let sources = SettingsSources(flags: flags, environment: environment, file: file)
        ignoredVariables = sources.ignored
        var faults = sources.faults
        var values: [String: any Sendable] = [:]
        entries = SettingList.all.map { setting in
            guard let (text, origin) = sources.value(of: setting) else {
                return Entry(setting: setting, text: setting.standardText, origin: .standard)
            }
            do throws(InvalidSetting) {
                values[setting.key] = try setting.read(text)
            } catch {
                faults.append(origin.fault(setting, error.detail))
            }
            return Entry(setting: setting, text: text, origin: origin)
        }
        self.values = values
        faults += contradictions()
        if !faults.isEmpty { throw SettingsError(faults: faults) }
    }

    package subscript<Value>(_ path: KeyPath<SettingList, Setting<Value>>) -> Value {
        let setting = Self.list[keyPath: path]
        // Checked for presence first: casting a missing value to an optional type would succeed with nil.
        guard let value = values[setting.key] else { return setting.standard }
        return value as? Value ?? setting.standard
    }

    package func entry(_ setting: any DeclaredSetting) -> Entry? { entries.first { $0.setting.key == setting.key } }
}

/// All faults of a configuration. Values are not included: they may be secret.
package struct SettingsError: Error, Sendable, CustomStringConvertible {
    package struct Fault: Sendable, Equatable {
        /// The key as its source spells it, e.g. `SUBGUARD_PORT`, `port` or `--set port`.
        package let key: String
        /// What is wrong and what is allowed, e.g. "must be a whole number, 0 to 65535".
        package let detail: String
    }

    package let faults: [Fault]

    package var description: String {
        faults.map { "configuration: \($0.key): \($0.detail)" }.joined(separator: "\n")
    }
}
