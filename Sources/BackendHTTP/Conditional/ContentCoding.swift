import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardAPI

/// Content codings on both sides of a request (RFC 9110 section 8.4 and 12.5.3).
enum ContentCoding {
    /// Whether an answer may be sent as gzip: `gzip` or `x-gzip` with a weight that is not zero, or, where neither is
    /// named, `*` with one. Asked with every cacheable answer, so it looks at the bytes.
    static func acceptsGzip(_ head: RequestHead) -> Bool {
        var isNamed = false
        var everythingElse = false
        let isAccepted = head.hasMember(of: .acceptEncoding) { member in
            var parts = ListMembers(member, separator: UInt8(ascii: ";"))
            guard let coding = parts.next() else { return false }
            if coding.equalsIgnoringCase("gzip") || coding.equalsIgnoringCase("x-gzip") {
                isNamed = true
                return !hasWeightZero(&parts)
            }
            if coding.equals("*") { everythingElse = !hasWeightZero(&parts) }
            return false
        }
        return isAccepted || (!isNamed && everythingElse)
    }

    /// RFC 9110 section 12.4.2: `q=0`, with up to three decimals.
    private static func hasWeightZero(_ parameters: inout ListMembers) -> Bool {
        while let parameter = parameters.next() {
            guard parameter.count >= 2, parameter[0] | 0x20 == UInt8(ascii: "q"), parameter[1] == UInt8(ascii: "=")
            else { continue }
            return parameter[2...].allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        }
        return false
    }

    /// The body with its coding undone. What comes out counts against the client's allowance. Throws 413, 415 or 429.
    static func decodedBody(of request: Request, maximumBytes: Int) throws(HTTPFailure) -> [UInt8] {
        let codings = request.head.values(of: .contentEncoding).flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }.filter { $0 != "identity" }
        guard let coding = codings.first else { return request.body }
        guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(coding) else {
            throw HTTPFailure(
                .unsupportedContentCoding, "The body may be coded as gzip or deflate, once.",
                fields: [.acceptEncoding: "gzip, deflate"])
        }
        let allowance = InflationAllowance.current
        try allowance?.begin()
        do throws(Inflater.Failure) {
            let body = try Inflater.inflate(request.body, maximumBytes: maximumBytes)
            allowance?.charge(body.count)
            return body
        } catch {
            // Up to there it was inflated, too.
            allowance?.charge(error == .tooLarge ? maximumBytes : request.body.count)
            switch error {
            case .tooLarge: throw HTTPFailure(.bodyTooLarge, "The body is larger than this resource accepts.")
            case .malformed: throw HTTPFailure(.malformedRequest, "The body is not the \(coding) that it claims to be.")
            }
        }
    }
}
