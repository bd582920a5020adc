import Cryptography
import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import SubGuardEngine

/// Sends recorded sessions and crash reports. Each file stays until the server has acknowledged it.
struct SignalSync {
    let store: DeviceStore
    let server: ServerConnection
    let clock: SendingClock

    struct Outcome {
        var sessions = 0
        var crashes = 0
        /// Those that the server would never accept: too old, or refused.
        var dropped = 0
    }

    func run(at moment: Moment) async throws -> Outcome {
        var outcome = Outcome()
        let batches = store.signals.batches(at: moment).map { ($0, timely: TimelySignals($0.content, at: moment.now)) }
        // By a wrong clock, all would be too old or of the future.
        if batches.contains(where: { $0.timely.untimely > 0 }), try await server.isClockWrong(at: moment.now) {
            throw ClientError.wrongClock
        }
        for (batch, timely) in batches {
            do {
                outcome.dropped += timely.untimely + timely.malformed
                try await send(timely, of: batch, at: moment, &outcome)
            } catch ClientError.cancelled where !store.analytics.isConsented {
                return outcome
            } catch let error as ClientError where error.isVerdict {
                outcome.dropped += 1
            }
            store.signals.settle(batch)
        }
        return outcome
    }

    private func send(
        _ timely: TimelySignals, of batch: SignalBatch, at moment: Moment, _ outcome: inout Outcome
    ) async throws {
        if let crash = timely.crash {
            try await send(CrashReports(sentAt: clock.reading(moment), crashes: [crash], sessions: nil), count: 1)
            outcome.crashes += 1
        }
        guard let file = batch.id else { return }
        let counts = Self.counts(of: timely.sessions, in: file)
        for start in stride(from: 0, to: counts.count, by: CrashLimits.batchSize.upperBound) {
            let part = Array(counts[start..<min(start + CrashLimits.batchSize.upperBound, counts.count)])
            try await send(
                CrashReports(sentAt: clock.reading(moment), crashes: nil, sessions: part), count: part.count)
            outcome.sessions += part.reduce(0) { $0 + Int($1.total) }
        }
    }

    private func send(_ reports: CrashReports, count: Int) async throws {
        // Repeatable: the server counts each id once.
        var call = ServerCall(.crashes, body: reports.json(), mayRepeat: true)
        call.isWanted = { store.analytics.isConsented }
        let object = try await server.object(call)
        guard let answer = try? CrashReceipt(object, unknown: .ignored), answer.accepted + answer.duplicates == count
        else {
            throw ClientError.unreadable(call: call.route.template)
        }
    }

    /// By version and hour, sorted, with ids that are the same each time the file is sent and tell no time.
    static func counts(of sessions: [EndedSession], in file: UUID) -> [CrashReports.Sessions] {
        struct Key: Hashable, Comparable {
            let hour: UTCInstant
            let version: String

            static func < (one: Key, other: Key) -> Bool { (one.hour, one.version) < (other.hour, other.version) }
        }
        let groups = Dictionary(grouping: sessions) {
            Key(hour: $0.hour, version: $0.version)
        }
        return groups.keys.sorted().compactMap { key -> CrashReports.Sessions? in
            guard let group = groups[key] else { return nil }
            let digest = SHA256.hash(of: "\(file.lowercased) \(key.hour.rfc3339) \(key.version)".utf8)
            func word(_ start: Int) -> UInt64 { digest[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
            return CrashReports.Sessions(
                id: UUID(version4: (word(0), word(8))), startedAt: key.hour, version: key.version,
                total: Int64(group.count), crashed: Int64(group.count { $0.isCrashed }))
        }
    }
}

/// What of a batch a server takes whose clock agrees.
struct TimelySignals {
    private(set) var crash: CrashReports.Crash?
    private(set) var sessions: [EndedSession] = []
    /// How much is too old or of the future.
    private(set) var untimely = 0
    /// How much no server would read.
    private(set) var malformed = 0

    init(_ content: SignalBatch.Content, at now: UTCInstant) {
        switch content {
        case .crash(let object):
            guard let found = try? CrashReports.Crash(object, unknown: .ignored) else {
                malformed = 1
                return
            }
            if CrashLimits.accepts(timestamp: found.timestamp, receivedAt: now) { crash = found } else { untimely = 1 }
        case .sessions(let ended):
            sessions = ended.filter { CrashLimits.accepts(timestamp: $0.hour, receivedAt: now) }
            untimely = ended.count - sessions.count
        }
    }
}
