package import JSONWire
package import SubGuardDomain

/// The body of `POST /api/v1/auth/apple/notifications`, sent by Apple.
public struct AppleAccountNotification: Sendable, Hashable {
    /// A JWT, signed by Apple.
    public let payload: String

    public init(payload: String) { self.payload = payload }

    /// Fields that Apple adds are passed over. Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: [], unknown: .ignored)
        let payload = fields.string("payload", maximumBytes: WireLimits.accountNotificationBytes)
        guard fields.faults.isEmpty, let payload else { throw fields.faults }
        self.init(payload: payload)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("payload", payload)
        writer.endObject()
    }
}
