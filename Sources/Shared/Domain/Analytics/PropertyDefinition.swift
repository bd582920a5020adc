/// A property that an event may carry.
public struct PropertyDefinition: Sendable, Hashable {
    let wireName: WireName
    public let kind: PropertyKind

    init(name: String, kind: PropertyKind) {
        wireName = WireName(name)
        self.kind = kind
    }

    public var name: String { wireName.text }
}
