package import JSONWire
package import SubGuardDomain

/// What signing in and refreshing answer.
public struct SessionTokens: Sendable, Hashable {
    /// Goes with each *session* call as `Authorization: Bearer …`.
    public let accessToken: String
    /// Good for one refresh, which gives the next one.
    public let refreshToken: String
    /// Seconds for which the access token is good from the moment of the answer.
    public let expiresIn: Int64

    public init(accessToken: String, refreshToken: String, expiresIn: Int64) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }

    /// Reads an answer; fields that a newer server adds are passed over. Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: [], unknown: .ignored)
        let access = fields.string("access_token", maximumBytes: WireLimits.sessionTokenBytes)
        let refresh = fields.string("refresh_token", maximumBytes: WireLimits.sessionTokenBytes)
        let seconds = fields.integer("expires_in", in: 0...Int64(Int32.max))
        let type = fields.string("token_type", maximumBytes: 16)
        if let type, type.lowercased() != "bearer" { fields.note("token_type", .unknownValue, "Must be Bearer.") }
        guard fields.faults.isEmpty, let access, let refresh, let seconds else {
            throw fields.faults
        }
        self.init(accessToken: access, refreshToken: refresh, expiresIn: seconds)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("access_token", accessToken)
        writer.field("refresh_token", refreshToken)
        writer.field("expires_in", expiresIn)
        writer.field("token_type", "Bearer")
        writer.endObject()
    }
}
