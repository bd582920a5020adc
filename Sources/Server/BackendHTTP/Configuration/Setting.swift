/// One setting: its name in every source, its type and bounds, its default, and its description.
///
/// Every setting is declared once, in ``SettingList``. `Config/subguardd.yaml`, `subguardd config check` and the
/// messages about wrong values are made from the declaration.
package struct Setting<Value: Sendable>: DeclaredSetting {
    package let key: String
    package let isSecret: Bool
    package let summary: String
    /// The value when no source sets it.
    let standard: Value
    let kind: SettingKind<Value>

    init(_ key: String, _ kind: SettingKind<Value>, default standard: Value, isSecret: Bool = false, _ summary: String)
    {
        self.key = key
        self.kind = kind
        self.standard = standard
        self.isSecret = isSecret
        self.summary = summary
    }

    package var standardText: String { kind.text(standard) }
    package var bounds: String? { kind.bounds }
    package var isQuoted: Bool { kind.isQuoted }

    package func read(_ text: String) throws(InvalidSetting) -> any Sendable { try kind.read(text) }

    package func printable(_ text: String) -> String {
        if isSecret, let reveal = kind.redacted { return (try? reveal(kind.read(text))) ?? "***" }
        return isSecret && !text.isEmpty ? "***" : text
    }
}

/// A setting of any type, as the sources and the reports see it.
package protocol DeclaredSetting: Sendable {
    /// The name in the configuration file and behind `--set`, in lower case.
    var key: String { get }
    /// Whether the value is hidden in every report and may be read from a file that the variable with `_FILE` names.
    var isSecret: Bool { get }
    /// One to three sentences for the operator.
    var summary: String { get }
    /// The default as it is written in the configuration file.
    var standardText: String { get }
    /// Unit and range, or the choices; nil where the summary says it all.
    var bounds: String? { get }
    /// Whether YAML needs quotes around the value: everything but numbers and booleans.
    var isQuoted: Bool { get }

    /// The value of a text. Throws when the text is not allowed.
    func read(_ text: String) throws(InvalidSetting) -> any Sendable
    /// The text as it may be printed: secrets are masked.
    func printable(_ text: String) -> String
}

extension DeclaredSetting {
    /// The environment variable: `SUBGUARD_` and the key in upper case.
    package var variable: String { "SUBGUARD_\(key.uppercased())" }
    /// The variable that names a file with the value; nil unless the setting is a secret.
    var fileVariable: String? { isSecret ? "\(variable)_FILE" : nil }
}

/// Why a text is not allowed for a setting. Never contains the text, which may be a secret.
package struct InvalidSetting: Error {
    /// Follows the name of the setting, such as "must be true or false".
    let detail: String
}
