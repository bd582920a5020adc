package import Foundation

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
