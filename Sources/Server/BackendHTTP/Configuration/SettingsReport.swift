/// `subguardd config check`: every setting with its value and origin, in columns.
package enum SettingsReport {
    package static func text(_ settings: Settings) -> String {
        let rows = settings.entries.map { ($0.setting.key, $0.printable, $0.origin) }
        let keyWidth = rows.map(\.0.count).max() ?? 0
        let valueWidth = rows.map(\.1.count).max() ?? 0
        return rows.map { key, value, origin in
            "\(padded(key, keyWidth))  \(padded(value, valueWidth))  \(origin)\n"
        }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
