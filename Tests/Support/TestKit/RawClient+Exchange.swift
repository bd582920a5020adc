extension RawClient {
    /// Sends one request on this connection and returns its final response; interim ones (1xx) are skipped.
    @discardableResult
    package func exchange(_ request: String) throws -> RawResponse { try exchange(Array(request.utf8)) }

    /// See ``exchange(_:)-(String)``.
    @discardableResult
    package func exchange(_ request: [UInt8]) throws -> RawResponse {
        try send(request)
        let method = String(decoding: request.prefix { $0 != 0x20 }, as: UTF8.self)
        while true {
            let response = try readResponse(to: method)
            if response.status >= 200 { return response }
        }
    }

    /// Sends one request on a separate connection and returns its final response.
    package static func exchange(_ port: Int, _ request: String) throws -> RawResponse {
        try RawClient(port: port).exchange(request)
    }

    /// See ``exchange(_:_:)-(Int,String)``.
    package static func exchange(_ port: Int, _ request: [UInt8]) throws -> RawResponse {
        try RawClient(port: port).exchange(request)
    }
}
