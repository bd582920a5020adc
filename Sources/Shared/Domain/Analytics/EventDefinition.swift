/// An event that a device may report, and all that may go with it.
public struct EventDefinition: Sendable, Hashable {
    let wireName: WireName
    public let properties: [PropertyDefinition]
    /// Whether it is a milestone, of which only the first counts for each user.
    public let countsOncePerUser: Bool

    init(name: String, properties: [PropertyDefinition], countsOncePerUser: Bool) {
        wireName = WireName(name)
        self.properties = properties
        self.countsOncePerUser = countsOncePerUser
    }

    public var name: String { wireName.text }

    /// The property of that name, or nil when the event does not allow it; nothing is allocated.
    public func property(named name: UnsafeRawBufferPointer) -> PropertyDefinition? {
        for index in properties.indices where properties[index].wireName.equals(name) { return properties[index] }
        return nil
    }

    public func property(named name: String) -> PropertyDefinition? {
        var name = name
        return name.withUTF8 { property(named: UnsafeRawBufferPointer($0)) }
    }
}
