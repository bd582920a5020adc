/// A request of a simulated client, for any of the servers.
package struct ClientRequest: Sendable {
    /// What happens to the response.
    package enum Fate: Sendable {
        case read
        /// The response arrives, but the device does not process it, because the app was terminated.
        case thrownAway
        /// The device disconnects as soon as the request is sent.
        case cut
    }

    package let method: String
    package let path: String
    package let route: ClientRoute
    package let agent: String
    /// Further header fields, each with its line break.
    package var fields: String
    package let type: String
    package let body: [UInt8]?
    package var fate = Fate.read

    package init(
        method: String = "GET", path: String, route: ClientRoute = .analytics, agent: String = "subguard-load",
        fields: String = "", type: String = "application/json", body: [UInt8]? = nil
    ) {
        (self.method, self.path, self.route, self.agent) = (method, path, route, agent)
        (self.fields, self.type, self.body) = (fields, type, body)
    }
}

/// A kind of request.
package enum ClientRoute: String, Sendable, CaseIterable {
    /// A page of the catalogue, for a device without a copy or with an expired token.
    case whole
    /// Changes since a device's copy, with the last entity tag: 304 if there are none.
    case revalidation
    /// Changes since the copy, for a device without an entity tag.
    case delta
    case suggestions, analytics
    /// A page of the catalogue, for no device.
    case catalogue
    case search

    /// Whether it synchronises a device's catalogue.
    package var isSynchronisation: Bool { [.whole, .revalidation, .delta].contains(self) }

    /// Whether a device can use a response with this status. 410 and 422 make it start with the first page again.
    func isUsable(_ status: Int) -> Bool {
        switch self {
        case .whole, .catalogue, .search: status == 200
        case .revalidation: [200, 304, 410, 422].contains(status)
        case .delta: [200, 410, 422].contains(status)
        case .suggestions, .analytics: status == 202
        }
    }
}

/// A complete response.
package struct Answer: Sendable, Equatable {
    package let status: Int
    package var body: [UInt8] = []
    /// The server will close the connection.
    package var closes = false
    /// Including its quotation marks.
    package var entityTag: String?
    /// The `Retry-After` of the response, in seconds.
    package var retryAfter: Int?
    /// Whether the body is compressed with gzip.
    package var isCompressed = false
    /// Size of head and body as received.
    package var wireBytes = 0

    package init(status: Int) { self.status = status }
}

/// Why a run cannot go on, beginning with the option that is to blame if there is one.
package struct RunError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
