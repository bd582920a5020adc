/// One setting: its name in every source, its type and bounds, its default, and its description.
///
/// Every setting is declared once, in ``SettingList``. `Config/subguardd.yaml`, `subguardd config check` and the
/// messages about wrong values are made from the declaration.
package struct Setting<Value: Sendable>: DeclaredSetting {
    package let key: String
    package let isSecret: Bool
    package let summary: String
    /// The default value.
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
    package var isList: Bool { kind.isList }

    package func read(_ text: String) throws(InvalidSetting) -> any Sendable { try kind.read(text) }

    package func printable(_ text: String) -> String {
        if isSecret, let reveal = kind.redacted { return (try? reveal(kind.read(text))) ?? "***" }
        return isSecret && !text.isEmpty ? "***" : text
    }
}

/// A setting without its value type, for sources and reports.
package protocol DeclaredSetting: Sendable {
    /// The name in the configuration file and behind `--set`, in lower case.
    var key: String { get }
    /// Whether reports hide the value. A secret may also be read from the file that the variable with the suffix
    /// `_FILE` names.
    var isSecret: Bool { get }
    /// One to three sentences for the operator.
    var summary: String { get }
    /// The default as written in the configuration file.
    var standardText: String { get }
    /// Unit and range, or the choices; nil if the summary is sufficient.
    var bounds: String? { get }
    /// Whether the value must be quoted in YAML: everything but numbers and booleans.
    var isQuoted: Bool { get }
    /// Whether a list of values is allowed.
    var isList: Bool { get }

    /// Parses a value. Throws if it is not allowed.
    func read(_ text: String) throws(InvalidSetting) -> any Sendable
    /// The text for reports: secrets are masked.
    func printable(_ text: String) -> String
}

extension DeclaredSetting {
    /// The environment variable: `SUBGUARD_` and the key in upper case.
    package var variable: String { "SUBGUARD_\(key.uppercased())" }
    /// The variable with the path of a file that contains the value; nil unless the setting is a secret.
    var fileVariable: String? { isSecret ? "\(variable)_FILE" : nil }
}

/// Why a text is not allowed for a setting. Never contains the text, which may be a secret.
package struct InvalidSetting: Error {
    /// Follows the name of the setting, such as "must be true or false".
    let detail: String
}
