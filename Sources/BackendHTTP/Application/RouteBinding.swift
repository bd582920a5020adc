import HTTPServer
import HTTPWire
import SubGuardAPI

/// A call of the contract together with who answers it here.
struct RouteBinding: Sendable {
    let api: APIRoute
    let route: Route
    /// Which of a client's allowances a request uses up.
    let allowance: Allowance
    /// Asked on the event loop before the body is read, so it must look at nothing but the request. Throws to refuse.
    let admission: (@Sendable (Request) throws -> Void)?

    /// `bodyAdmission` is asked on a worker before a large body is read; see ``Route/admission``.
    init(
        _ api: APIRoute, allowance: Allowance = .read, maximumBodyBytes: Int = 65_536,
        admission: (@Sendable (Request) throws -> Void)? = nil,
        bodyAdmission: (@Sendable (Request) throws -> Void)? = nil, _ endpoint: Endpoint
    ) {
        self.api = api
        self.allowance = allowance
        self.admission = admission
        // The contract's table holds methods that the server implements only; a test walks over all of it.
        let method = RequestMethod.allCases.first { $0.name == api.method } ?? .get
        route = Route(
            method, api.path, maximumBodyBytes: maximumBodyBytes, admission: bodyAdmission, endpoint)
    }
}
