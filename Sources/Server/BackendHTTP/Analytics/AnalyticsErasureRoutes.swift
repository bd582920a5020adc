import Backend
import EventLog
import HTTPServer
import HTTPTypes
import ServerContract
import SubGuardContract
import SubGuardDomain

/// `POST /api/v1/analytics/erasure`: answered once the wish is on disk; a job carries it out.
struct AnalyticsErasureRoutes: Sendable {
    let log: EventLog
    let limits: ClientLimits

    private static let maximumBodyBytes = 1024

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .analyticsErasure, allowance: .account, maximumBodyBytes: Self.maximumBodyBytes,
                .blocking { try request($0) })
        ]
    }

    private func request(_ request: Request) throws -> Response {
        let object = try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes)
        let body = try RequestBody.read { () throws(FaultList) in try AnalyticsErasure(object) }
        let digits = Array(body.userID.utf8)
        guard let user = digits.withUnsafeBytes({ UserHash(hexadecimal: $0) }) else {
            throw HTTPFailure.invalid("#/user_id", .invalidUserID, "Must be 64 lower-case hexadecimal digits.")
        }
        try limits.take(.erasure, for: request)
        try log.requestErasure(of: user)
        return AccountRoutes.nothing(.accepted)
    }
}
