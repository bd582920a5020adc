/// The texts of `subguardd config`.
package enum SettingsReport {
    /// `config check`: every setting with its value and origin, in columns.
    package static func text(_ settings: Settings) -> String {
        let rows = settings.entries.map { ($0.setting.key, $0.printable, "\($0.origin)") }
        let keyWidth = rows.map(\.0.count).max() ?? 0
        let valueWidth = rows.map(\.1.count).max() ?? 0
        return rows.map { key, value, origin in
            "\(padded(key, keyWidth))  \(padded(value, valueWidth))  \(origin)\n"
        }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// `config example`: a configuration file (YAML) with every setting, its description and its default.
    package static func example() -> String {
        let head = comment(
            """
            SubGuard server: every setting with its default. Pass this file with `--config`. Every setting can also \
            come from an environment variable, SUBGUARD_ and its name in upper case (SUBGUARD_PORT=8081), or from a \
            flag (`--set port=8081`). Flags win over variables, variables over this file. `subguardd config check` \
            prints the values in use and where they come from. The server does not start with an unknown setting or a \
            value that is not allowed. `subguardd config example` writes this file.
            """)
        return head + SettingList.all.map { "\n\(comment(description(of: $0)))\($0.key): \(value(of: $0))\n" }.joined()
    }

    private static func description(of setting: any DeclaredSetting) -> String {
        let file = setting.fileVariable.map { "Secret; \($0) can name a file that contains it." }
        return [setting.summary, setting.bounds, file].compactMap(\.self).joined(separator: " ")
    }

    private static func value(of setting: any DeclaredSetting) -> String {
        setting.isQuoted ? "\"\(setting.standardText)\"" : setting.standardText
    }

    /// Wraps a text into lines of at most 120 characters that begin with `# `.
    private static func comment(_ text: String) -> String {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 120 { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
