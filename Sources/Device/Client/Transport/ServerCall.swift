package import SubGuardContract

/// One call of the contract with what goes into it.
package struct ServerCall: Sendable {
    package let route: APIOperation
    package let path: String
    package var query: [(name: String, value: String)] = []
    package var body: [UInt8]?
    package var token: String?
    package var ifNoneMatch: String?
    package var accept: String?
    /// Further header fields.
    package var fields: [(name: String, value: String)] = []
    /// Whether sending it twice comes to the same as sending it once.
    package let mayRepeat: Bool
    package var maximumAnswerBytes = 1 << 20

    /// - Parameter mayRepeat: unless it is a GET, which always may.
    package init(_ route: APIOperation, path: String? = nil, body: [UInt8]? = nil, mayRepeat: Bool = false) {
        self.route = route
        self.path = path ?? route.path
        self.body = body
        self.mayRepeat = mayRepeat || route.method == .get
    }
}
