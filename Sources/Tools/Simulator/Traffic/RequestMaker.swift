import Cryptography
import Foundation
import TextCoding

/// A request as sent.
struct MadeRequest {
    /// Head and body.
    var bytes: [UInt8] = []
    var route = LoadRoute.analytics
    /// Nil for a catalogue read.
    var batch: MadeBatch?
}

/// A key with which an app signs its batches, see docs/api.md.
package struct SigningKey: Sendable {
    let name: String
    let key: HMACKey

    /// Parses `name:base64`, as in `ingest_signing_keys`.
    package init(_ text: String) throws(LoadOptionError) {
        let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let bytes = Data(base64Encoded: String(parts[1])), (16...64).contains(bytes.count)
        else {
            throw LoadOptionError("--signing-key-file", "must contain NAME:BASE64, a key of 16 to 64 bytes")
        }
        name = String(parts[0])
        key = HMACKey(bytes)
    }

    /// The field that signs a body at a time in seconds since 1970.
    package func field(_ body: [UInt8], at seconds: Int64) -> String {
        let code = key.code(for: Array("\(seconds).\(Hexadecimal.text(SHA256.hash(of: body)))".utf8))
        return "SubGuard-Signature: key=\(name), t=\(seconds), v1=\(Hexadecimal.text(code))\r\n"
    }
}

/// Makes the requests of one thread.
struct RequestMaker {
    /// Reads of a page, and typical searches.
    private static let reads: [(route: LoadRoute, path: String)] = [
        (.catalogue, "/api/v1/catalogue?limit=100"), (.search, "/api/v1/catalogue/search?q=net&limit=10"),
        (.catalogue, "/api/v1/catalogue?limit=50&category=streaming"),
        (.search, "/api/v1/catalogue/search?q=spotfy&limit=10"),
    ]

    private let profile: LoadPlan.Profile
    private let signingKey: SigningKey?
    /// What is the same in each request to a server.
    private let common: [[UInt8]]
    private var batches: BatchMaker
    private var made = 0
    private var spares: [MadeRequest] = []

    init(_ plan: LoadPlan, thread: Int) {
        profile = plan.profile
        signingKey = plan.signingKey
        batches = BatchMaker(plan, thread: thread)
        common = plan.targets.map { Array(" HTTP/1.1\r\nHost: \($0.authority)\r\nUser-Agent: subguard-load\r\n".utf8) }
    }

    /// The next request, for the server of this number. `now` in milliseconds since 1970.
    mutating func make(now: Int64, server: Int) -> MadeRequest {
        made += 1
        let isRead = profile == .catalogue || profile == .mixed && made.isMultiple(of: 2)
        var request = spares.popLast() ?? MadeRequest()
        request.bytes.removeAll(keepingCapacity: true)
        if isRead {
            request.batch = nil
            let read = Self.reads[made / 2 % Self.reads.count]
            request.route = read.route
            request.bytes.append(contentsOf: "GET \(read.path)".utf8)
            request.bytes.append(contentsOf: common[server])
            request.bytes.append(contentsOf: "\r\n".utf8)
            return request
        }
        // Moved out of the request, so that its memory is uniquely referenced and reused.
        let spare = request.batch.take() ?? MadeBatch()
        let batch = batches.make(now: now, spare: spare)
        request.route = .analytics
        request.bytes.append(contentsOf: "POST /api/v1/analytics".utf8)
        request.bytes.append(contentsOf: common[server])
        request.bytes.append(
            contentsOf: "Content-Type: application/json\r\nContent-Length: \(batch.body.count)\r\n".utf8)
        if let signingKey { request.bytes.append(contentsOf: signingKey.field(batch.body, at: now / 1000).utf8) }
        if batch.isCompressed { request.bytes.append(contentsOf: "Content-Encoding: gzip\r\n".utf8) }
        request.bytes.append(contentsOf: "\r\n".utf8)
        request.bytes.append(contentsOf: batch.body)
        request.batch = batch
        return request
    }

    /// Releases a finished request; `isTaken` if the server has accepted its batch.
    mutating func finish(_ request: MadeRequest, isTaken: Bool) {
        if isTaken, let batch = request.batch { batches.remember(batch) }
        spares.append(request)
    }
}
