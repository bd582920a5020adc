import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract

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

    /// A body may inflate to this many bytes whatever it is, and to ``maximumRatio`` times its size as sent beyond them.
    private static let freeInflatedBytes = 16 << 10
    /// JSON and CSV of clients shrink to a tenth or a thirtieth, a stack of the same frames over and over to a sixtieth; only
    /// what was made for it shrinks to less. So a byte as sent costs at most a hundred to read.
    private static let maximumRatio = 100

    /// The body with its coding undone: the one place where bodies are inflated. What comes out
    /// counts against the client's allowance. Throws 413, 415 or 429.
    ///
    /// - Parameter maximumBytes: of the inflated body.
    static func decodedBody(of request: Request, maximumBytes: Int) throws(HTTPFailure) -> [UInt8] {
        guard let coding = try coding(of: request) else { return request.body }
        return try inflated(request.body, coding, maximumBytes: maximumBytes)
    }

    /// The same for a body whose beginning tells whether the rest is worth inflating.
    ///
    /// - Parameter check: sees the first `prefixCount` bytes, or all where there are fewer. What it throws is thrown, and
    ///   nothing more is inflated. Not called where `prefixCount` is 0.
    static func decodedBody(
        of request: Request, maximumBytes: Int, prefixCount: Int, _ check: ([UInt8]) throws -> Void
    ) throws -> [UInt8] {
        guard let coding = try coding(of: request) else {
            if prefixCount > 0 { try check(Array(request.body.prefix(prefixCount))) }
            return request.body
        }
        var refusal: (any Error)?
        do {
            return try inflated(request.body, coding, maximumBytes: maximumBytes, prefixCount: prefixCount) { prefix in
                do { try check(prefix) } catch { refusal = error }
                return refusal == nil
            }
        } catch {
            throw refusal ?? error
        }
    }

    /// Undoes a coding within the same bounds. `coding` is what messages call it. For the last two parameters see
    /// ``Inflater/inflate(_:maximumBytes:prefixCount:accepts:)``.
    static func inflated(
        _ bytes: [UInt8], _ coding: String, maximumBytes: Int, prefixCount: Int = 0,
        accepts: ([UInt8]) -> Bool = { _ in true }
    ) throws(HTTPFailure) -> [UInt8] {
        let proportional = freeInflatedBytes + maximumRatio * bytes.count
        let bound = min(maximumBytes, proportional)
        let allowance = InflationAllowance.current
        try allowance?.begin()
        do throws(Inflater.Failure) {
            let body = try Inflater.inflate(
                bytes, maximumBytes: bound, prefixCount: prefixCount, accepts: accepts)
            allowance?.charge(body.count)
            return body
        } catch {
            // Up to there it was inflated, too.
            switch error {
            case .tooLarge: allowance?.charge(bound)
            case .malformed: allowance?.charge(bytes.count)
            case .refused(let count): allowance?.charge(count)
            }
            switch error {
            case .tooLarge where proportional < maximumBytes:
                throw HTTPFailure(
                    .bodyTooLarge, "The body inflates to more than \(maximumRatio) times its size as sent.")
            case .tooLarge: throw HTTPFailure(.bodyTooLarge, "The body is larger than this resource accepts.")
            case .malformed, .refused: throw notCoded(as: coding)
            }
        }
    }

    private static func notCoded(as coding: String) -> HTTPFailure {
        HTTPFailure(.malformedRequest, "The body is not the \(coding) that it claims to be.")
    }

    /// `gzip`, `x-gzip` or `deflate`; nil for a body without a coding. Throws 415.
    private static func coding(of request: Request) throws(HTTPFailure) -> String? {
        let codings = request.head.values(of: .contentEncoding).flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }.filter { $0 != "identity" }
        guard let coding = codings.first else { return nil }
        guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(coding) else {
            throw HTTPFailure(
                .unsupportedContentCoding, "The body may be coded as gzip or deflate, once.",
                fields: [.acceptEncoding: "gzip, deflate"])
        }
        return coding
    }
}
