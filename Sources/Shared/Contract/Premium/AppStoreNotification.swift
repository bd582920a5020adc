package import JSONWire
package import SubGuardDomain

/// The body of `POST /api/v1/app_store/notifications`: App Store Server Notifications, version 2, sent by Apple.
public struct AppStoreNotification: Sendable, Hashable {
    /// A JWS, signed by the App Store.
    public let signedPayload: String

    public init(signedPayload: String) { self.signedPayload = signedPayload }

    /// Fields that Apple adds are passed over. Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: [], unknown: .ignored)
        let payload = fields.string("signedPayload", maximumBytes: WireLimits.storeNotificationBytes)
        guard fields.faults.isEmpty, let payload else { throw fields.faults }
        self.init(signedPayload: payload)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("signedPayload", signedPayload)
        writer.endObject()
    }
}
