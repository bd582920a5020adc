import Cryptography
import Foundation
package import JSONWire
import SubGuardContract
import SubGuardDomain
package import SubGuardEngine

/// Sends queued events. Each stays in the queue until the server has acknowledged it.
struct EventSync {
    let store: DeviceStore
    let server: ServerConnection
    let device: DeviceProperties
    /// Nil for apps without a signing key.
    var signer: EventSigner?
    let clock: SendingClock

    struct Outcome {
        var accepted = 0
        /// Events the server already had because the response to an earlier attempt was lost.
        var duplicates = 0
        var rejected = 0
        /// Whether more is queued than one sync sends.
        var isTruncated = false

        var isEmpty: Bool { accepted + duplicates + rejected == 0 }
    }

    /// Maximum size of a request: half of what the server accepts.
    private static let maximumBodyBytes = 512 << 10
    /// Stops with a server that accepts nothing.
    private static let maximumRequests = 300

    func run(at moment: Moment) async throws -> Outcome {
        var outcome = Outcome()
        var signer = signer
        let wasContacted = try store.analytics.hasSent(to: server.address.text)
        var size = AnalyticsLimits.batchSize.upperBound
        for _ in 0..<Self.maximumRequests {
            guard let batch = try store.analytics.nextBatch(limit: size, for: server.address.text, at: moment) else {
                return outcome
            }
            let count = batch.entries.count
            let body = Self.body(batch, device, clock.reading(moment))
            if body.count > Self.maximumBodyBytes, count > 1 {
                size = max(1, count / 2)
                continue
            }
            do {
                let (answer, date) = try await send(body, count: count, signer: &signer, at: moment)
                if answer.rejectedCount > 0, ServerConnection.isClockWrong(at: moment.now, by: date) {
                    // What was rejected may be right; it stays until the clock is.
                    throw ClientError.wrongClock
                }
                try store.analytics.settle(batch.entries.map(\.id), rejected: answer.rejectedCount, at: moment)
                outcome.accepted += answer.accepted
                outcome.duplicates += answer.duplicates
                outcome.rejected += answer.rejectedCount
            } catch let error as ClientError where !wasContacted && outcome.isEmpty && error.isBeforeRequest {
                // Nothing left the device, so there is nothing to erase.
                try store.analytics.unmarkSent(to: server.address.text, at: moment)
                throw error
            } catch ClientError.cancelled where !store.analytics.isConsented {
                return outcome
            } catch let error as ClientError where error.isVerdict {
                if count > 1 {
                    size = max(1, count / 2)
                } else {
                    try store.analytics.settle(batch.entries.map(\.id), rejected: 1, at: moment)
                    outcome.rejected += 1
                    size = AnalyticsLimits.batchSize.upperBound
                }
            }
        }
        outcome.isTruncated = try store.analytics.queueCounts().waiting > 0
        return outcome
    }

    /// Asks the server to erase the events of revoked ids.
    func erase(at moment: Moment) async throws -> Int {
        let erasures = try store.analytics.erasures(for: server.address.text)
        for userID in erasures {
            let body = AnalyticsErasure(userID: userID).json()
            _ = try await server.answer(to: ServerCall(.analyticsErasure, body: body, mayRepeat: true))
            try store.analytics.settleErasure(userID, by: server.address.text, at: moment)
        }
        return erasures.count
    }

    static func body(_ batch: EventBatch, _ device: DeviceProperties, _ sentAt: UTCInstant) -> [UInt8] {
        let reports = batch.entries.map { entry in
            EventReport(
                // A clock that ran ahead may have dated the event in the future.
                id: entry.id, name: entry.name, userID: batch.userID, timestamp: min(entry.occurredAt, sentAt),
                properties: JSONObject(device.members(of: entry.name) + entry.properties.members))
        }
        return EventReports(events: reports, sentAt: sentAt).json()
    }

    /// Signs with the device's time, and with the server's time when the server refuses that.
    private func send(
        _ body: [UInt8], count: Int, signer: inout EventSigner?, at moment: Moment
    ) async throws(ClientError) -> (EventReceipt, date: String?) {
        do {
            return try await send(body, count: count, signer: signer, at: moment)
        } catch {
            guard case .refused(401, "ingest_signature_expired", _) = error,
                let clock = try? await server.answer(to: ServerCall(.health)),
                let following = signer?.following(clock.fields["date"], at: moment.now), following != signer
            else { throw error }
            signer = following
            return try await send(body, count: count, signer: following, at: moment)
        }
    }

    private func send(
        _ body: [UInt8], count: Int, signer: EventSigner?, at moment: Moment
    ) async throws(ClientError) -> (EventReceipt, date: String?) {
        // Repeatable: the server counts each event once.
        var call = ServerCall(.analytics, body: body, mayRepeat: true)
        call.isWanted = { store.analytics.isConsented }
        if let signer { call.fields = [signer.field(for: body, at: moment.now)] }
        let answer = try await server.answer(to: call)
        // Without an answer for every event, none is removed from the queue.
        guard let receipt = try? EventReceipt(ServerConnection.object(answer, call), unknown: .ignored),
            receipt.count == count
        else { throw .unreadable(call: call.route.template) }
        return (receipt, answer.fields["date"])
    }
}

/// The `sent_at` of the requests of a sync: in whole seconds, as time passes, so that those about events, sessions and
/// crashes have no exact time in common. A server corrects times by the distance of `sent_at` from the arrival; rounded
/// down, that moves them later by less than a second.
struct SendingClock {
    private let start = ContinuousClock.now

    func reading(_ moment: Moment) -> UTCInstant {
        let elapsed = (ContinuousClock.now - start).components.seconds
        return UTCInstant(secondsSinceEpoch: moment.now.adding(seconds: elapsed).secondsSinceEpoch)
    }
}

/// The properties of the app and device that are sent with every event. Nil properties are not sent.
public struct DeviceProperties: Sendable, Hashable {
    /// Such as `1.4.0`.
    public var appVersion: String?
    /// Such as `17.5`.
    public var osVersion: String?
    /// For example `ios` or `linux`.
    public var platform: String?
    /// A language tag, for example `fr_CH`.
    public var locale: String?

    /// A property that is nil is not sent.
    public init(
        appVersion: String? = nil, osVersion: String? = nil, platform: String? = nil, locale: String? = nil
    ) {
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.platform = platform
        self.locale = locale
    }

    /// The properties that the registry allows for the event and whose values are valid.
    func members(of event: String) -> [(name: String, value: JSONValue)] {
        guard let definition = EventRegistry.definition(named: event) else { return [] }
        return [
            ("app_version", appVersion), ("os_version", osVersion), ("platform", platform), ("locale", locale),
        ].compactMap { name, value in
            guard let value, definition.property(named: name)?.kind.accepts(text: value) == true else { return nil }
            return (name, .string(value))
        }
    }
}

/// Signs event batches with a key shared by the app and the server.
///
/// The key is part of the app, so a signature does not prove a device; it makes forging batches harder.
public struct EventSigner: Sendable, Hashable {
    private let key: IngestSigningKey
    /// How many seconds the server's clock is ahead.
    private var offset: Int64 = 0

    /// - Parameter text: `name:base64` with a secret of 16 to 64 bytes; nil when malformed.
    public init?(_ text: String) {
        guard let key = IngestSigningKey(text) else { return nil }
        self.key = key
    }

    /// The header field for a request body.
    func field(for body: [UInt8], at now: UTCInstant) -> (name: String, value: String) {
        let seconds = now.secondsSinceEpoch + offset
        let input = IngestSignature.input(seconds: seconds, bodyDigest: SHA256.hash(of: body))
        let signature = IngestSignature(
            key: key.name, seconds: seconds, code: HMACKey(key.secret).code(for: input))
        return (IngestSignature.fieldName, signature.text)
    }

    /// A signer adjusted to the server's clock: `date` is the header field of a response received at `now`. Nil when it
    /// cannot be parsed.
    func following(_ date: String?, at now: UTCInstant) -> EventSigner? {
        guard let ahead = date.flatMap({ RetryAfter.secondsAhead(of: $0, now: now.secondsSinceEpoch) }) else {
            return nil
        }
        var signer = self
        signer.offset = ahead
        return signer
    }
}

/// What a sync would send about the use of the app, in the form in which it would be sent. Nothing is sent, marked or
/// changed.
package struct SendingPreview: Sendable {
    /// The oldest events. Without `user_id` while the device has no anonymous id.
    package let events: [JSONObject]
    /// Sessions by hour and version; without `id` until their file is closed, which is when they are sent.
    package let sessions: [JSONObject]
    package let crashes: [JSONObject]

    /// - Parameter limit: how many events are read.
    package init(of store: DeviceStore, device: DeviceProperties, limit: Int, at moment: Moment) throws {
        let batch = try store.analytics.preview(limit: limit)
        events = Self.list("events", EventSync.body(batch, device, moment.now)).map { event in
            batch.userID.isEmpty ? JSONObject(event.members.filter { $0.name != "user_id" }) : event
        }
        var sessions: [JSONObject] = []
        var crashes: [JSONObject] = []
        for batch in store.signals.preview() {
            let timely = TimelySignals(batch.content, at: moment.now)
            let counts = SignalSync.counts(of: timely.sessions, in: batch.id ?? UUID())
            let body = CrashReports(
                sentAt: moment.now, crashes: timely.crash.map { [$0] }, sessions: counts.isEmpty ? nil : counts
            ).json()
            sessions += Self.list("sessions", body).map { count in
                batch.id == nil ? JSONObject(count.members.filter { $0.name != "id" }) : count
            }
            crashes += Self.list("crashes", body)
        }
        self.sessions = sessions
        self.crashes = crashes
    }

    /// The objects of a list in a body.
    private static func list(_ name: String, _ body: [UInt8]) -> [JSONObject] {
        let object = (try? JSONValue.parse(body))?.objectValue
        return object?[name]?.arrayValue?.compactMap(\.objectValue) ?? []
    }
}
