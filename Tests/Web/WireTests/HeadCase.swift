import HTTPTypes
import HTTPWire
import Testing

@testable import HTTPWire

/// A request and the RFC section that specifies its treatment.
struct HeadCase: Sendable, CustomTestStringConvertible {
    let section: String
    let what: String
    let request: String

    init(_ section: String, _ what: String, _ request: String) {
        self.section = section
        self.what = what
        self.request = request
    }

    var testDescription: String { "\(section): \(what)" }
}

/// A request that is rejected, and the error.
struct RefusedHead: Sendable, CustomTestStringConvertible {
    let head: HeadCase
    let status: Int
    let code: WireError.Code

    /// Rejected with 400 unless another error is given.
    init(_ section: String, _ what: String, _ request: String, _ refusal: WireError = .malformed("")) {
        head = HeadCase(section, what, request)
        status = refusal.status.code
        code = refusal.code
    }

    /// A request with this field line besides `Host`, and a body of 5 bytes that would be valid.
    static func field(_ section: String, _ line: String, _ refusal: WireError = .malformed("")) -> RefusedHead {
        RefusedHead(section, line, "POST / HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n", refusal)
    }

    /// A GET of this target.
    static func target(_ section: String, _ target: String) -> RefusedHead {
        RefusedHead(section, target, "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    var testDescription: String { head.testDescription }
}
