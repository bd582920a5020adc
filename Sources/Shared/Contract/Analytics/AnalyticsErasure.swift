package import JSONWire
package import SubGuardDomain

/// The body of `POST /api/v1/analytics/erasure`: a device asks that what it reported be linked to nobody any more.
public struct AnalyticsErasure: Sendable, Hashable {
    /// 64 lower-case hexadecimal digits, as in the events: whoever knows them is the device.
    public let userID: String

    public init(userID: String) { self.userID = userID }

    /// Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: ["user_id"], unknown: .refused)
        let text = fields.string("user_id", maximumBytes: 256)
        if let text, !Self.isUserID(text) {
            fields.note(
                "user_id", .invalidUserID, "Must be \(AnalyticsLimits.userIDLength) lower-case hexadecimal digits.")
        }
        guard fields.faults.isEmpty, let text else { throw fields.faults }
        self.init(userID: text)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("user_id", userID)
        writer.endObject()
    }

    private static func isUserID(_ text: String) -> Bool {
        text.utf8.count == AnalyticsLimits.userIDLength
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
