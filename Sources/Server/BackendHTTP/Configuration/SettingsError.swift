/// Everything that is wrong with a configuration, each fault naming its key. Values are not repeated: they may be secret.
package struct SettingsError: Error, Sendable, CustomStringConvertible {
    package struct Fault: Sendable, Equatable {
        /// The key as its source spells it, e.g. `SUBGUARD_PORT`, `port` or `--set port`.
        package let key: String
        package let detail: String
    }

    package let faults: [Fault]

    package var description: String {
        faults.map { "configuration: \($0.key): \($0.detail)" }.joined(separator: "\n")
    }
}
