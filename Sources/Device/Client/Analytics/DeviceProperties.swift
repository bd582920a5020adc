import JSONWire
import SubGuardDomain

/// What each event may tell of the app: properties of the registry that fit many devices. Nil leaves one out.
public struct DeviceProperties: Sendable, Hashable {
    public var appVersion: String?
    public var osVersion: String?
    /// Such as `ios` or `linux`.
    public var platform: String?
    /// A language tag such as `fr_CH`.
    public var locale: String?

    public init(
        appVersion: String? = nil, osVersion: String? = nil, platform: String? = nil, locale: String? = nil
    ) {
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.platform = platform
        self.locale = locale
    }

    /// Those that the registry allows for the event and whose value it takes.
    func members(of event: String) -> [(name: String, value: JSONValue)] {
        guard let definition = EventRegistry.definition(named: event) else { return [] }
        return [
            ("app_version", appVersion), ("os_version", osVersion), ("platform", platform), ("locale", locale),
        ].compactMap { name, value in
            guard let value, definition.property(named: name)?.kind.accepts(text: value) == true else { return nil }
            return (name, .string(value))
        }
    }
}
