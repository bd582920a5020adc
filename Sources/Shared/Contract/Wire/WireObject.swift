package import Foundation
package import JSONWire
package import SubGuardDomain

/// A JSON object of the contract. Its ``WireSchema`` writes, reads and describes it:
///
///     struct Greeting: WireObject {
///         let name: String
///         let language: Language?
///         static let wire = WireSchema<Greeting>(
///             "Greeting", "A greeting.", make: Greeting.init,
///             Field("name", \.name, .text(1...80), "Who is greeted.", example: "Ada"),
///             Field("language", \.language, optional: .choice, "Default: the language of the device."))
///     }
package protocol WireObject: Sendable {
    static var wire: WireSchema<Self> { get }

    /// Appends the object. The default follows ``wire``. An object that is written thousands of times a second may have
    /// its own writer, which a test compares with it.
    func write(to writer: inout JSONWriter)
}

extension WireObject {
    /// The object as JSON text.
    package func json(capacity: Int = 256) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        write(to: &writer)
        return writer.bytes
    }

    /// The object as a tree, for reading its members by name.
    package var jsonObject: JSONObject { (try? JSONValue.parse(json()))?.objectValue ?? [:] }

    package func write(to writer: inout JSONWriter) { Self.wire.write(self, to: &writer) }

    /// Reads an object. Throws all faults with their JSON pointers; faults beyond the first 100 are only counted.
    ///
    /// - Parameter unknown: how to handle undeclared members. Servers reject them; clients ignore them, because a newer
    ///   server may add members.
    package init(_ object: JSONObject, unknown: WireReading.Unknown = .refused) throws(FaultList) {
        try self.init(object, WireReading(unknown: unknown))
    }

    /// Reads an object that is part of a larger input, such as a row of a file.
    package init(_ object: JSONObject, _ reading: WireReading) throws(FaultList) {
        self = try Self.read(object, reading)
    }

    /// Reads the object from query or form parameters: all values are texts, and pointers have no `#/`.
    package init(texts: [(name: String, value: String)]) throws(FaultList) {
        let reading = WireReading(texts: true)
        var object = JSONObject()
        for (name, value) in texts {
            if object[name] == nil {
                object.members.append((name, .string(value)))
            } else if Self.wire.description.knownNames.contains(name) {
                reading.at(name) { reading.note(.duplicate, "Must be given once.") }
            }
        }
        self = try Self.read(object, reading)
    }

    private static func read(_ object: JSONObject, _ reading: WireReading) throws(FaultList) -> Self {
        let value = wire.read(object, reading)
        guard let value, reading.faults.isEmpty else { throw reading.faults }
        return value
    }
}

extension JSONWriter {
    /// Writes an id in lower case.
    package mutating func string(_ id: UUID) { string(ascii: 36, id.writeLowercased) }

    /// Writes an instant as RFC 3339 in UTC.
    package mutating func string(_ instant: UTCInstant) {
        string(ascii: UTCInstant.rfc3339Bytes, instant.writeRFC3339)
    }
}
