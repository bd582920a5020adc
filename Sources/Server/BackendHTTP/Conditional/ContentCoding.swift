import BrotliCoding
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract
import SubGuardDomain
import ZlibCoding

/// Content codings of requests and responses (RFC 9110 sections 8.4 and 12.5.3).
enum ContentCoding {
    /// Whether the client accepts gzip: `gzip` or `x-gzip` with a non-zero weight or, if neither is listed, `*` with
    /// one. Compares bytes, because it runs for every cacheable response.
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

    /// Bytes to which any body may inflate; beyond them ``maximumRatio`` applies.
    private static let freeInflatedBytes = 16 << 10
    /// Maximum inflated bytes per byte as sent. JSON and CSV of clients compress by a factor of 10 to 30, repeated
    /// identical stack frames by 60; only crafted bodies exceed 100.
    private static let maximumRatio = 100

    /// Decodes the body. All decompression goes through this type, and the output counts against the client's
    /// allowance. Throws 413, 415 or 429.
    ///
    /// - Parameter maximumBytes: maximum size of the decoded body.
    static func decodedBody(of request: Request, maximumBytes: Int) throws(HTTPFailure) -> [UInt8] {
        guard let coding = try coding(of: request) else { return request.body }
        return try inflated(request.body, coding, maximumBytes: maximumBytes)
    }

    /// Decodes the body after checking its beginning.
    ///
    /// - Parameter check: receives the first `prefixCount` bytes, or all if there are fewer. Its error is rethrown and
    ///   stops the decompression. Not called if `prefixCount` is 0.
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

    /// Decompresses bytes within the same limits. For the last two parameters see
    /// ``Inflater/inflate(_:maximumBytes:prefixCount:accepts:)``.
    static func inflated(
        _ bytes: [UInt8], _ coding: BodyCoding, maximumBytes: Int, prefixCount: Int = 0,
        accepts: ([UInt8]) -> Bool = { _ in true }
    ) throws(HTTPFailure) -> [UInt8] {
        let proportional = proportionalBytes(ofReceived: bytes.count)
        let bound = min(maximumBytes, proportional)
        let allowance = InflationAllowance.current
        try allowance?.begin()
        do throws(Inflater.Failure) {
            let body =
                coding.isBrotli
                ? try BrotliStream().inflate(
                    whole: bytes, maximumBytes: bound, prefixCount: prefixCount, accepts: accepts)
                : try Inflater.inflate(bytes, maximumBytes: bound, prefixCount: prefixCount, accepts: accepts)
            allowance?.charge(body.count)
            return body
        } catch {
            // The bytes inflated before the error count too.
            switch error {
            case .tooLarge: allowance?.charge(bound)
            case .malformed, .exhausted: allowance?.charge(bytes.count)
            case .refused(let count): allowance?.charge(count)
            }
            if error == .tooLarge, proportional < maximumBytes { throw disproportionate }
            throw failure(error, coding, maximumBytes: maximumBytes)
        }
    }

    /// The response to a body that could not be decompressed.
    static func failure(_ error: Inflater.Failure, _ coding: BodyCoding, maximumBytes: Int) -> HTTPFailure {
        switch error {
        case .tooLarge: .bodyTooLarge(limitBytes: maximumBytes)
        case .exhausted: .overloaded(retryAfterSeconds: 1)
        case .malformed, .refused: notCoded(as: coding)
        }
    }

    /// To how many bytes a body of that size may inflate.
    static func proportionalBytes(ofReceived byteCount: Int) -> Int { freeInflatedBytes + maximumRatio * byteCount }

    static var disproportionate: HTTPFailure {
        HTTPFailure(.bodyTooLarge, "The body inflates to more than \(maximumRatio) times its size as sent.")
    }

    static func notCoded(as coding: BodyCoding) -> HTTPFailure {
        HTTPFailure(.malformedRequest, "The body is not the \(coding.name) that it claims to be.")
    }

    /// Nil for an uncoded body. Throws 415.
    static func coding(of request: Request) throws(HTTPFailure) -> BodyCoding? {
        let codings = request.head.values(of: .contentEncoding).flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }.filter { $0 != "identity" }
        guard let coding = codings.first else { return nil }
        guard codings.count == 1, ["gzip", "x-gzip", "deflate", "br"].contains(coding) else {
            throw HTTPFailure(
                .unsupportedContentCoding, "The body may be coded as gzip, deflate or br, once.",
                fields: [.acceptEncoding: "gzip, deflate, br"])
        }
        return BodyCoding(name: coding)
    }
}

/// The content coding of a body: gzip, deflate or br.
struct BodyCoding: Sendable {
    /// As named in messages.
    let name: String

    var isBrotli: Bool { name == "br" }

    func stream() -> any DecompressingStream { isBrotli ? BrotliStream() : InflatingStream() }
}
