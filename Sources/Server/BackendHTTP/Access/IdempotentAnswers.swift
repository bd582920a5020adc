import Cryptography
import Foundation
package import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
package import ServerAccess
import SubGuardContract
import SubGuardDomain

/// `Idempotency-Key` for admin POSTs: a request repeated with the same key within one day gets the first response.
///
/// The response to a new token contains its secret, so stored responses are encrypted with a key derived from the
/// caller's token. Only the sender can read them.
package struct IdempotentAnswers: Sendable {
    let store: IdempotencyStore
    /// Reports errors that must not fail the request, such as a response that could not be stored.
    let report: @Sendable (any Error) -> Void

    private static let replayed = HTTPField.Name("Idempotency-Replayed")

    /// Most first requests are answered by then; only if the server died does the lease run to its end.
    private static let runningRetrySeconds: Int64 = 5

    func answer(
        _ request: Request, of actor: Actor, token: String, _ handler: (Actor) throws -> Response
    ) throws -> Response {
        guard request.head.contains(.idempotencyKey), let tokenID = actor.tokenID else { return try handler(actor) }
        let key = try Self.key(of: request)
        let claim = IdempotencyStore.Claim(tokenID: tokenID, key: key, content: Self.content(of: request))
        return try once(claim, AnswerSeal(token: token, key: key)) { try handler(actor.claiming(claim)) }
    }

    /// Carries out what has not been claimed before; otherwise answers as the first time.
    ///
    /// The key of a refusal, and of a failure that changed nothing, may be used again, even with other content.
    package func once(
        _ claim: IdempotencyStore.Claim, _ seal: AnswerSeal, _ handler: () throws -> Response
    ) throws -> Response {
        switch try store.begin(claim) {
        case .new: break
        case .answered(let sealed):
            guard var response = seal.open(sealed) else {
                throw HTTPFailure(.answerLost, "The request was carried out, but its answer cannot be read any more.")
            }
            if let name = Self.replayed { response.fields[name] = "true" }
            return response
        case .running(let leaseSeconds):
            throw HTTPFailure(
                .requestRunning, "The first request with this key still runs.",
                fields: [.retryAfter: "\(min(leaseSeconds, Self.runningRetrySeconds))"])
        case .otherContent:
            throw HTTPFailure(.idempotencyKeyReused, "Another request was sent with this key.")
        case .answerLost:
            throw HTTPFailure(
                .answerLost,
                "The change was made, but the response was lost. The audit log has the change.")
        }
        do {
            let response = try handler()
            keep(response, claim, seal)
            return response
        } catch {
            do { try store.fail(claim) } catch let failure { report(failure) }
            throw error
        }
    }

    private func keep(_ response: Response, _ claim: IdempotencyStore.Claim, _ seal: AnswerSeal) {
        do {
            guard response.status.code < 400, let sealed = seal.close(response) else { return try store.abandon(claim) }
            try store.finish(claim, sealed: sealed)
        } catch {
            report(error)
        }
    }

    /// 1 to 255 visible ASCII characters, optionally quoted.
    private static func key(of request: Request) throws -> String {
        let values = request.head.values(of: .idempotencyKey)
        var key = values.first ?? ""
        if key.count >= 2, key.hasPrefix("\""), key.hasSuffix("\"") { key = String(key.dropFirst().dropLast()) }
        guard values.count == 1, (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw HTTPFailure.invalid(
                "Idempotency-Key", .invalidFormat, "Must be sent once, with 1 to 255 visible ASCII characters.")
        }
        return key
    }

    private static func content(of request: Request) -> [[UInt8]] {
        let head = request.head
        let fields = [head.value(of: .contentType), head.value(of: .contentEncoding), head.value(of: .ifMatch)]
        return [Array(request.method.name.utf8), head.withTarget { Array($0) }]
            + fields.map { Array(($0 ?? "").utf8) } + [request.body]
    }
}

/// Encrypts a response so that only the holder of the token can decrypt it.
package struct AnswerSeal {
    private let key: SecretBytes

    package init(token: String, key: String) {
        self.key = HKDF.derive(
            from: token.utf8, salt: Array(key.utf8), info: Array("subguard idempotent answer".utf8),
            byteCount: AuthenticatedCipher.keyCount)
    }

    /// Nil for a streamed response.
    func close(_ response: Response) -> [UInt8]? {
        let body: [UInt8]
        switch response.body {
        case .none: body = []
        case .bytes(let bytes): body = bytes
        case .chunks: return nil
        }
        let plain = JSONWriter.bytes(capacity: 256 + body.count * 2) { writer in
            writer.field("status", response.status.code)
            writer.strings("fields", response.fields.flatMap { [$0.name.canonicalName, $0.value] })
            writer.field("rendered", Data(response.renderedFields).base64EncodedString())
            writer.field("body", Data(body).base64EncodedString())
        }
        return AuthenticatedCipher.aes256GCM.seal(plain, key: key)
    }

    /// Nil if it was sealed with another token or key.
    func open(_ sealed: [UInt8]) -> Response? {
        guard let plain = try? AuthenticatedCipher.aes256GCM.open(sealed, key: key),
            let object = (try? JSONValue.parse(plain))?.objectValue,
            let code = object["status"]?.integerValue, let texts = object["fields"]?.arrayValue,
            let rendered = object["rendered"]?.stringValue.flatMap({ Data(base64Encoded: $0) }),
            let body = object["body"]?.stringValue.flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        var response = Response(status: HTTPResponse.Status(code: Int(code)))
        for index in stride(from: 0, to: texts.count - 1, by: 2) {
            guard let name = texts[index].stringValue.flatMap({ HTTPField.Name($0) }),
                let value = texts[index + 1].stringValue
            else { return nil }
            response.fields.append(HTTPField(name: name, value: value))
        }
        response.renderedFields = Array(rendered)
        if !body.isEmpty { response.body = .bytes(Array(body)) }
        return response
    }
}
