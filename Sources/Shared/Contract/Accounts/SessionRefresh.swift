package import JSONWire

/// The body of `POST /api/v1/auth/refresh`.
public struct SessionRefresh: Sendable, Hashable {
    public let refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }

    /// Throws ``FieldProblems`` with every fault.
    package init(_ object: JSONObject) throws(FieldProblems) {
        var fields = FieldReader(object, known: ["refresh_token"], unknown: .refused)
        let token = fields.string("refresh_token", maximumBytes: WireLimits.sessionTokenBytes)
        guard fields.problems.isEmpty, let token else { throw FieldProblems(fields.problems) }
        self.init(refreshToken: token)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("refresh_token", refreshToken)
        writer.endObject()
    }
}
