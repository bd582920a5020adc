package import Foundation
package import HTTPWire

/// One method of one address, and who answers it.
package struct Route: Sendable {
    package let method: RequestMethod
    package let pattern: RoutePattern
    /// Body as sent that this route takes, in bytes.
    package let maximumBodyBytes: Int
    /// Decides, on a worker, whether the body of a request is read at all; throws to refuse it. Called when the body is
    /// announced with more than ``admittedBodyBytes`` or with an unknown length, before any of it is read. What it has
    /// found out is not passed on, and the endpoint must not rely on its having been called. `nil` for routes that take
    /// no larger body.
    package let admission: (@Sendable (Request) throws -> Void)?
    package let endpoint: Endpoint

    /// Bodies up to this size need no admission, in bytes.
    package static let admittedBodyBytes = 65_536

    package init(
        _ method: RequestMethod, _ pattern: String, maximumBodyBytes: Int = 65_536,
        admission: (@Sendable (Request) throws -> Void)? = nil, _ endpoint: Endpoint
    ) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        self.maximumBodyBytes = maximumBodyBytes
        self.admission = maximumBodyBytes > Self.admittedBodyBytes ? admission : nil
        self.endpoint = endpoint
    }
}

/// Where a handler runs.
package enum Endpoint: Sendable {
    /// On the event loop. Only for answers that are in memory: whatever blocks here blocks every connection of the loop.
    case immediate(@Sendable (Request) throws -> Response)
    /// On the event loop when the first handler has the answer at hand, else as the other endpoint says.
    indirect case remembered(@Sendable (Request) -> Response?, otherwise: Endpoint)
    /// On a worker.
    case blocking(@Sendable (Request) throws -> Response)
    /// On a worker, and the answer may come later and from elsewhere.
    case deferred(@Sendable (Request, Reply) throws -> Void)
}

/// What a route's pattern took out of a path, in its order.
package struct PathParameters: Sendable {
    enum Value: Sendable {
        case uuid(UUID)
        case text(String)
    }

    var values: [Value] = []

    /// The parameter at `position` among those of the pattern. A route that asks for a kind its pattern does not have is
    /// a mistake of ours and answers 500.
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
