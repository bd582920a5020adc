import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import SubGuardEngine

/// Sends the events that wait, and leaves each in the queue until the server has answered for it.
struct EventSync {
    let store: DeviceStore
    let server: ServerConnection
    let device: DeviceProperties
    /// Nil for an app without a key.
    var signer: EventSigner?

    struct Outcome {
        var accepted = 0
        /// Events that the server had already, because the answer to an earlier attempt was lost.
        var duplicates = 0
        var rejected = 0
        /// Whether more waits than one synchronisation sends.
        var isCut = false

        var isEmpty: Bool { accepted + duplicates + rejected == 0 }
    }

    /// Of one request, half of what the server takes.
    private static let maximumBodyBytes = 512 << 10
    /// An end for a server that never takes anything.
    private static let maximumRequests = 300

    func run(at moment: Moment) async throws -> Outcome {
        var outcome = Outcome()
        var signer = signer
        let wasTold = try store.analytics.hasSent(to: server.address.text)
        var size = AnalyticsLimits.batchSize.upperBound
        for _ in 0..<Self.maximumRequests {
            guard let batch = try store.analytics.nextBatch(limit: size, for: server.address.text, at: moment) else {
                return outcome
            }
            let count = batch.entries.count
            let body = body(batch, moment)
            if body.count > Self.maximumBodyBytes, count > 1 {
                size = max(1, count / 2)
                continue
            }
            do {
                let answer = try await send(body, count: count, signer: &signer, at: moment)
                try store.analytics.settle(batch.entries.map(\.id), rejected: answer.rejectedCount, at: moment)
                outcome.accepted += answer.accepted
                outcome.duplicates += answer.duplicates
                outcome.rejected += answer.rejectedCount
            } catch let error as ClientError where !wasTold && outcome.isEmpty && error.isBeforeRequest {
                // A server that nobody has reached has nothing to forget.
                try store.analytics.unmarkSent(to: server.address.text, at: moment)
                throw error
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
        outcome.isCut = try store.analytics.queueCounts().waiting > 0
        return outcome
    }

    /// Asks the server to forget the ids whose consent was revoked and that it was told of.
    func erase(at moment: Moment) async throws -> Int {
        let erasures = try store.analytics.erasures(for: server.address.text)
        for userID in erasures {
            var writer = JSONWriter()
            AnalyticsErasure(userID: userID).write(to: &writer)
            _ = try await server.answer(to: ServerCall(.analyticsErasure, body: writer.bytes, mayRepeat: true))
            try store.analytics.settleErasure(userID, by: server.address.text, at: moment)
        }
        return erasures.count
    }

    private func body(_ batch: EventBatch, _ moment: Moment) -> [UInt8] {
        let reports = batch.entries.map { entry in
            EventReport(
                // What a clock that ran ahead dated is not later than now.
                id: entry.id, name: entry.name, userID: batch.userID, timestamp: min(entry.occurredAt, moment.now),
                properties: JSONObject(device.members(of: entry.name) + entry.properties.members))
        }
        return EventReport.body(of: reports, sentAt: moment.now)
    }

    /// Signs with the server's time once the server has refused the device's, whose clock may be wrong.
    private func send(
        _ body: [UInt8], count: Int, signer: inout EventSigner?, at moment: Moment
    ) async throws(ClientError) -> IngestAnswer {
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
    ) async throws(ClientError) -> IngestAnswer {
        // An event counts once however often it is sent.
        var call = ServerCall(.analytics, body: body, mayRepeat: true)
        if let signer { call.fields = [signer.field(for: body, at: moment.now)] }
        // An answer that does not speak of every event settles none.
        guard let answer = IngestAnswer(wire: try await server.object(call)), answer.count == count else {
            throw .unreadable(call: call.route.template)
        }
        return answer
    }
}

/// What each event may tell of the app: properties of the registry that fit many devices. Nil leaves one out.
public struct DeviceProperties: Sendable, Hashable {
    public var appVersion: String?
    public var osVersion: String?
    /// Such as `ios` or `linux`.
    public var platform: String?
    /// A language tag such as `fr_CH`.
    public var locale: String?

    public init(
        appVersion: String? = nil, osVersion: String? = nil, platform: String? = nil, locale: String? = nil
    ) {
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.platform = platform
        self.locale = locale
    }

    /// Those that the registry allows for the event and whose value it takes.
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
