import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract

/// Lets pages of other origins read responses (CORS, Fetch standard section 3.3). Never with cookies, and never of
/// administration, whose routes have no audience.
struct CrossOrigin: Sendable {
    /// Whose pages may call a route.
    enum Audience: Sendable {
        /// SDKs in the pages of the operator's apps: every origin, unless some are listed. Their keys are public.
        case sdks
        /// The listed origins.
        case devices

        init?(_ api: APIOperation?) {
            guard let api, !api.needsToken else { return nil }
            if [.sentryEnvelope, .sentryStore, .postHogBatch].contains(api) {
                self = .sdks
            } else if api == .crashes || APIOperation.ofDevices.contains(api) {
                self = .devices
            } else {
                return nil
            }
        }
    }

    /// Origins in lower case, or `*`.
    private let origins: Set<String>
    /// By the index of the route.
    private let audiences: [Audience?]

    /// The fields that a page may send. Credentials are in `Authorization` or the SDKs' own fields.
    private static let requestFields =
        "Authorization, Content-Type, Content-Encoding, If-None-Match, X-Sentry-Auth, Subguard-Signature"
    private static let responseFields =
        "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Sentry-Error, X-Sentry-Rate-Limits"
    /// Browsers cap it: Chromium at two hours, Firefox at a day.
    private static let maximumAge = "86400"

    init(origins: [String], bindings: [RouteBinding]) {
        self.origins = Set(origins.map { $0.lowercased() })
        audiences = bindings.map { Audience($0.api) }
    }

    /// The response to a preflight request; nil for any other request, and for a route that the origin may not call,
    /// whose usual response grants nothing.
    func preflight(_ request: Request, _ routes: RouteTable) -> Response? {
        guard request.method == .options,
            let wanted = request.head.value(of: .accessControlRequestMethod),
            let method = RequestMethod.allCases.first(where: { $0.name == wanted }),
            let route = routes.route(method, of: request.head), let granted = granted(to: request, of: route)
        else { return nil }
        var response = Response(status: .noContent)
        response.fields[.accessControlAllowOrigin] = granted
        response.fields[.accessControlAllowMethods] = method.name
        response.fields[.accessControlAllowHeaders] = Self.requestFields
        response.fields[.accessControlMaxAge] = Self.maximumAge
        response.fields[.vary] = "Origin, Access-Control-Request-Method"
        return response
    }

    /// Whether a page of another origin may send the request.
    func allows(_ request: Request) -> Bool { request.route.flatMap { granted(to: request, of: $0) } != nil }

    func addFields(to response: inout Response, for request: Request) {
        guard request.head.contains(.origin), let route = request.route, let granted = granted(to: request, of: route)
        else { return }
        response.fields[.accessControlAllowOrigin] = granted
        response.fields[.accessControlExposeHeaders] = Self.responseFields
        if granted != "*" {
            response.fields[.vary] = (response.fields[.vary].map { $0 + ", " } ?? "") + "Origin"
        }
    }

    /// The value of `Access-Control-Allow-Origin`; nil if the origin may not call the route.
    private func granted(to request: Request, of route: Int) -> String? {
        guard audiences.indices.contains(route), let audience = audiences[route],
            let origin = request.head.value(of: .origin)
        else { return nil }
        if origins.contains("*") || audience == .sdks && origins.isEmpty { return "*" }
        return origins.contains(origin.lowercased()) ? origin : nil
    }
}
