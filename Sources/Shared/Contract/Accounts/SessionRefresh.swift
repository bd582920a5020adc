package import JSONWire
package import SubGuardDomain

/// The body of `POST /api/v1/auth/refresh`.
public struct SessionRefresh: Sendable, Hashable {
    public let refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }

    /// Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: ["refresh_token"], unknown: .refused)
        let token = fields.string("refresh_token", maximumBytes: WireLimits.sessionTokenBytes)
        guard fields.faults.isEmpty, let token else { throw fields.faults }
        self.init(refreshToken: token)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("refresh_token", refreshToken)
        writer.endObject()
    }
}
