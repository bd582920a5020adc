package import Foundation
package import HTTPWire

/// One method of one path, and its handler.
package struct Route: Sendable {
    package let method: RequestMethod
    package let pattern: RoutePattern
    /// Maximum size of a body as sent, in bytes.
    package let maximumBodyBytes: Int
    /// Decides, on a worker, whether the body of a request is read; throws to reject it. Called before reading a body
    /// that is announced with more than ``admittedBodyBytes`` or with unknown length. The endpoint must not rely on the
    /// call, and gets nothing from it. `nil` for routes without larger bodies.
    package let admission: (@Sendable (Request) throws -> Void)?
    /// Makes the sieve for large bodies; the body of its request is empty. Throws to reject the request. `nil` for
    /// routes whose bodies reach their handler whole.
    package let sieve: (@Sendable (Request) throws -> any BodySieve)?
    package let endpoint: Endpoint

    /// Bodies up to this size need no admission, in bytes.
    package static let admittedBodyBytes = 65_536

    package init(
        _ method: RequestMethod, _ pattern: String, maximumBodyBytes: Int = 65_536,
        admission: (@Sendable (Request) throws -> Void)? = nil,
        sieve: (@Sendable (Request) throws -> any BodySieve)? = nil, _ endpoint: Endpoint
    ) {
        self.method = method
        self.sieve = sieve
        self.pattern = RoutePattern(pattern)
        self.maximumBodyBytes = maximumBodyBytes
        self.admission = maximumBodyBytes > Self.admittedBodyBytes ? admission : nil
        self.endpoint = endpoint
    }
}

/// Where a handler runs.
package enum Endpoint: Sendable {
    /// On the event loop. Only for responses in memory: blocking here blocks every connection of the loop.
    case immediate(@Sendable (Request) throws -> Response)
    /// On the event loop if the first handler has the response in memory, else like the other endpoint.
    indirect case remembered(@Sendable (Request) -> Response?, otherwise: Endpoint)
    /// On a worker.
    case blocking(@Sendable (Request) throws -> Response)
    /// On a worker; the response may be sent later from another thread.
    case deferred(@Sendable (Request, Reply) throws -> Void)
}

/// The parameters in a path, in the order of the route's pattern.
package struct PathParameters: Sendable {
    enum Value: Sendable {
        case uuid(UUID)
        case text(String)
    }

    var values: [Value] = []

    /// The parameter at `position` of the pattern. Throws for a kind that the pattern does not have, a programming
    /// error that results in 500.
    package func uuid(_ position: Int = 0) throws -> UUID {
        guard values.indices.contains(position), case .uuid(let value) = values[position] else {
            throw RoutingError.parameterMismatch
        }
        return value
    }

    /// See ``uuid(_:)``.
    package func text(_ position: Int = 0) throws -> String {
        guard values.indices.contains(position), case .text(let value) = values[position] else {
            throw RoutingError.parameterMismatch
        }
        return value
    }
}

enum RoutingError: Error {
    case parameterMismatch
}
