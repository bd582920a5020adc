import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// `POST /ingest/api/{project_id}/envelope/` and `…/store/`: reports of unmodified Sentry SDKs.
struct SentryRoutes: Sendable {
    let intake: CrashIntake
    /// Empty if reports are not accepted.
    let key: String
    let projectID: String
    let now: @Sendable () -> UTCInstant

    /// A typical report is about 5 KB as sent; one with all variables of 100 frames is less than 1 MB.
    private static let maximumEventBytes = 2 << 20

    func bindings() -> [RouteBinding] {
        let bindings = [
            RouteBinding(
                .sentryEnvelope, allowance: .report, maximumBodyBytes: EnvelopeSieve.maximumBytes,
                admission: { _ = try admit($0) }, sieve: { try sieve(for: $0) },
                .blocking { try submitEnvelope($0) }),
            RouteBinding(
                .sentryStore, allowance: .report, maximumBodyBytes: Self.maximumEventBytes,
                admission: { try requireKey(try admit($0)) }, .blocking { try submitEvent($0) }),
        ]
        return bindings.map { binding in
            var binding = binding
            binding.refusalForm = .sentry
            return binding
        }
    }

    // MARK: Who sends

    /// Checks the head before the body is read and returns its keys, all of which must equal the server's key.
    private func admit(_ request: Request) throws -> [String] {
        guard !key.isEmpty else {
            throw HTTPFailure(.notFound, "This server takes no reports of Sentry SDKs: ingest_sentry_key is not set.")
        }
        guard try request.parameters.text() == projectID else {
            throw HTTPFailure(.forbidden, "The project is not this server's.")
        }
        let given = try SentryCredentials.keys(in: request)
        try require(given)
        return given
    }

    /// All given keys must equal the server's key, so they also agree with each other.
    private func require(_ given: [String]) throws {
        guard given.allSatisfy({ $0 == key }) else {
            throw HTTPFailure(.forbidden, "The key of the DSN is not this server's.")
        }
    }

    private func requireKey(_ given: [String]) throws {
        if given.isEmpty { throw HTTPFailure(.forbidden, "The key of the DSN is missing.") }
    }

    private func require(_ dsn: EnvelopeDSN?) throws {
        guard let dsn else { return }
        try require([dsn.key])
        guard dsn.projectID == projectID else {
            throw HTTPFailure(.forbidden, "The project of the envelope's dsn is not that of the address.")
        }
    }

    /// `prefix` is the start of an envelope, up to the maximum length of its first line.
    private func requireKey(inFirstLineOf prefix: [UInt8]) throws {
        let dsn = try Self.reading { () throws(EnvelopeError) in try EnvelopeParser.dsn(inPrefix: prefix) }
        try require(dsn)
        try requireKey(dsn.map { [$0.key] } ?? [])
    }

    // MARK: What is sent

    /// Without a key in the head, the first line must contain it.
    private func sieve(for request: Request) throws -> EnvelopeSieve {
        var check: (@Sendable ([UInt8]) throws -> Void)?
        if try SentryCredentials.keys(in: request).isEmpty {
            check = { try requireKey(inFirstLineOf: $0) }
        }
        return try EnvelopeSieve(request, limits: intake.limits, checkHeader: check)
    }

    private func submitEnvelope(_ request: Request) throws -> Response {
        let begun = request.sieved?.sieve as? EnvelopeSieve
        let body = try (begun ?? sieve(for: request)).finish(request.sieved, request.body)
        let envelope = try Self.reading { () throws(EnvelopeError) in try EnvelopeParser.parse(body) }
        try require(envelope.dsn)
        let receivedAt = now()
        var submission = EnvelopeReader.read(envelope, body: body, receivedAt: receivedAt)
        submission.nameAggregates(of: envelope, body: body)
        _ = try intake.record(submission, receivedAt: receivedAt, for: request)
        return EnvelopeReceipt(id: envelope.eventID ?? submission.reports.first?.id).response(.ok)
    }

    /// A single event, as sent by SDKs that predate envelopes.
    private func submitEvent(_ request: Request) throws -> Response {
        let body = try ContentCoding.decodedBody(of: request, maximumBytes: EnvelopeReader.maximumEventBytes)
        let receivedAt = now()
        let submission = EnvelopeReader.read(event: try Self.json(in: body), receivedAt: receivedAt)
        guard let report = submission.reports.first else {
            intake.counters.add(submission.tally)
            throw Self.notAnEvent
        }
        _ = try intake.record(submission, receivedAt: receivedAt, for: request)
        return EnvelopeReceipt(id: report.id).response(.ok)
    }

    private static let notAnEvent = HTTPFailure(
        .malformedJSON, "The event must be a JSON object, plain or as base64 of zlib.")

    /// The JSON of an event. Old SDKs compress it with zlib and encode it in base64 without declaring it.
    private static func json(in body: [UInt8]) throws -> [UInt8] {
        let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first != UInt8(ascii: "{"), let data = Data(base64Encoded: Data(body), options: .ignoreUnknownCharacters),
            !data.isEmpty
        else { return body }
        do throws(HTTPFailure) {
            return try ContentCoding.inflated(
                Array(data), BodyCoding(name: "base64 of zlib"), maximumBytes: EnvelopeReader.maximumEventBytes)
        } catch {
            // `null` and many a word are base64 too, so this says nothing about what was meant.
            throw error.code == .malformedRequest ? notAnEvent : error
        }
    }

    private static func reading<Value>(_ body: () throws(EnvelopeError) -> Value) throws(HTTPFailure) -> Value {
        do throws(EnvelopeError) {
            return try body()
        } catch {
            if case .headerTooLong = error { throw HTTPFailure(.bodyTooLarge, Sentence(pattern: error.detail)) }
            throw HTTPFailure(.malformedRequest, Sentence(pattern: error.detail))
        }
    }
}

extension RefusalForm {
    /// Of Sentry SDKs: `X-Sentry-Error` with a message and, for 429, `X-Sentry-Rate-Limits` in seconds for all
    /// categories of this key; one text per cause besides `detail`.
    static let sentry = RefusalForm { failure in
        failure.faults.isEmpty ? [failure.code.rawValue] : failure.faults.map { "\($0.pointer): \($0.detail)" }
    } addFields: { failure, response in
        response.fields[.sentryError] = failure.detail
        guard response.status.code == 429, let seconds = response.fields[.retryAfter] else { return }
        response.fields[.sentryRateLimits] = "\(seconds)::key:rate_limited"
    }
}

extension HTTPField.Name {
    // The names are valid tokens, so the fallbacks are never used.
    static let sentryError = HTTPField.Name("X-Sentry-Error") ?? .retryAfter
    static let sentryRateLimits = HTTPField.Name("X-Sentry-Rate-Limits") ?? .retryAfter
}

/// Finds the DSN keys in the head of a Sentry SDK's request.
enum SentryCredentials {
    /// The keys in `X-Sentry-Auth` and in the query parameter `sentry_key`. The obsolete secret is ignored.
    static func keys(in request: Request) throws -> [String] {
        let fields = request.head.values(of: .sentryAuth).flatMap { keys(in: $0) }
        let query = try request.queryItems().items.filter { $0.name == "sentry_key" }.map(\.value)
        return fields + query
    }

    /// Parses `Sentry sentry_key=…, sentry_version=7, …` in any order; the scheme may be missing.
    private static func keys(in field: String) -> [String] {
        let pairs = field.split { $0 == "," || $0 == " " || $0 == "\t" }
        return pairs.compactMap { pair in
            guard pair.lowercased().hasPrefix("sentry_key=") else { return nil }
            return String(pair.dropFirst("sentry_key=".count)).filter { $0 != "\"" }
        }
    }
}
