import HTTPServer
import HTTPWire
import ServerContract
import SubGuardContract

/// A call of the contract together with who answers it here.
struct RouteBinding: Sendable {
    let api: APIOperation
    /// As the route says; asked with every request, so it is at hand.
    let isWrite: Bool
    let needsCredentials: Bool
    let route: Route
    /// Which of a client's allowances a request uses up.
    let allowance: Allowance
    /// Asked on the event loop before the body is read, so it must look at nothing but the request. Throws to refuse.
    let admission: (@Sendable (Request) throws -> Void)?
    /// Whether a device can make the store grow by it: refused while the store is full.
    let growsStore: Bool

    /// `bodyAdmission` is asked on a worker before a large body is read; see ``Route/admission``.
    init(
        _ api: APIOperation, allowance: Allowance = .read, maximumBodyBytes: Int = 65_536,
        admission: (@Sendable (Request) throws -> Void)? = nil,
        bodyAdmission: (@Sendable (Request) throws -> Void)? = nil, _ endpoint: Endpoint
    ) {
        self.api = api
        isWrite = api.isWrite
        needsCredentials = api.needsCredentials
        self.allowance = allowance
        self.admission = admission
        growsStore = allowance == .report || Self.growing.contains(api)
        // The contract's table holds methods that the server implements only; a test walks over all of it.
        let method = RequestMethod.allCases.first { $0.name == api.method.rawValue } ?? .get
        route = Route(
            method, api.path, maximumBodyBytes: maximumBodyBytes, admission: bodyAdmission, endpoint)
    }

    private init(_ other: RouteBinding, endpoint: Endpoint) {
        api = other.api
        isWrite = other.isWrite
        needsCredentials = other.needsCredentials
        allowance = other.allowance
        admission = other.admission
        growsStore = other.growsStore
        route = Route(
            other.route.method, api.path, maximumBodyBytes: other.route.maximumBodyBytes,
            admission: other.route.admission, endpoint)
    }

    /// The same route with another handler.
    func with(endpoint: Endpoint) -> RouteBinding { RouteBinding(self, endpoint: endpoint) }

    private static let growing: [APIOperation] = [.analytics, .postHogBatch, .suggestions, .signIn]
}
