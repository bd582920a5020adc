package import HTTPServer
package import HTTPWire
import ServerContract
package import SubGuardContract

/// Who may use a page or form of the console.
package enum ConsoleAccess: Sendable, Hashable {
    /// Everybody: it belongs to the sign-in.
    case open
    /// Every session.
    case session
    /// Sessions whose token holds the permissions of all these calls.
    case operations([APIOperation])
    /// Sessions whose token holds every permission.
    case owner
}

/// A page or form of the console, for tests that walk all of them.
package struct ConsoleBinding: Sendable {
    package let method: String
    /// With parameters and their types in braces.
    package let path: String
    package let access: ConsoleAccess
}

extension RouteBinding {
    var consoleBinding: ConsoleBinding? {
        console.map { ConsoleBinding(method: route.method.name, path: path, access: $0) }
    }
}

/// What the clients of a protocol expect of a refusal besides the problem.
struct RefusalForm: Sendable {
    /// The member `causes` of the problem.
    let causes: @Sendable (HTTPFailure) -> [String]
    let addFields: @Sendable (HTTPFailure, inout Response) -> Void
}

/// A call of the contract, or a page of the console, with its handler.
package struct RouteBinding: Sendable {
    /// Nil for the console, which is no part of the contract.
    let api: APIOperation?
    /// The path without types and values, for metrics and the log.
    let template: String
    /// The path with types, as it was declared.
    private let path: String
    /// Copied from the declaration, because every request reads it.
    let isWrite: Bool
    let needsCredentials: Bool
    private(set) var route: Route
    let allowance: Allowance
    /// Runs on the event loop before the body is read and may use only the request. Throws to reject it.
    let admission: (@Sendable (Request) throws -> Void)?
    /// Whether devices add data with this call; if so, it is rejected while the database is full.
    let growsStore: Bool
    /// Whether the times in what devices send are judged by the server's clock.
    let judgesTimes: Bool
    /// Who may use a page or form of the console; nil for calls of the contract and for files.
    private(set) var console: ConsoleAccess?
    /// What clients of the call's protocol expect of a refusal besides the problem; nil for all others.
    var refusalForm: RefusalForm?

    /// `bodyAdmission` runs on a worker before a large body is read; see ``Route/admission``.
    init(
        _ api: APIOperation, allowance: Allowance = .read, maximumBodyBytes: Int = 65_536,
        admission: (@Sendable (Request) throws -> Void)? = nil,
        bodyAdmission: (@Sendable (Request) throws -> Void)? = nil,
        sieve: (@Sendable (Request) throws -> any BodySieve)? = nil, _ endpoint: Endpoint
    ) {
        self.api = api
        path = api.path
        template = api.template
        isWrite = api.isWrite
        needsCredentials = api.needsCredentials
        self.allowance = allowance
        self.admission = admission
        judgesTimes = allowance == .report || [.analytics, .postHogBatch].contains(api)
        growsStore = judgesTimes || Self.growing.contains(api)
        // Gates do this themselves, after the credentials.
        let endpoint = api.needsCredentials ? endpoint : endpoint.checking(InputRules(api))
        // The contract uses only methods that the server implements; a test checks all of them.
        let method = RequestMethod.allCases.first { $0.name == api.method.rawValue } ?? .get
        route = Route(
            method, api.path, maximumBodyBytes: maximumBodyBytes, admission: bodyAdmission, sieve: sieve, endpoint)
    }

    /// A page or an asset of the console.
    ///
    /// - Parameters:
    ///   - access: who may use it; nil for files.
    ///   - isPrivate: whether caches must not store responses.
    package init(
        console method: RequestMethod, _ path: String, access: ConsoleAccess? = nil, allowance: Allowance = .admin,
        isPrivate: Bool = true, maximumBodyBytes: Int = 65_536,
        admission bodyAdmission: (@Sendable (Request) throws -> Void)? = nil, _ endpoint: Endpoint
    ) {
        api = nil
        self.path = path
        isWrite = false
        needsCredentials = isPrivate
        self.allowance = allowance
        admission = nil
        growsStore = false
        judgesTimes = false
        route = Route(method, path, maximumBodyBytes: maximumBodyBytes, admission: bodyAdmission, endpoint)
        template = route.pattern.description
        console = access
    }

    /// The same binding with another handler.
    func with(endpoint: Endpoint) -> RouteBinding {
        var binding = self
        binding.route = Route(
            route.method, path, maximumBodyBytes: route.maximumBodyBytes, admission: route.admission,
            sieve: route.sieve, endpoint)
        return binding
    }

    private static let growing: [APIOperation] = [.suggestions, .signIn]
}
