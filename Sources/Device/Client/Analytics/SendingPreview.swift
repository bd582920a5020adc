import Foundation
package import JSONWire
import SubGuardContract
import SubGuardDomain
package import SubGuardEngine

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
            switch batch.content {
            case .sessions(let ended):
                let timely = ended.filter { CrashLimits.accepts(timestamp: $0.hour, receivedAt: moment.now) }
                let counts = SignalSync.counts(of: timely, in: batch.id ?? UUID())
                let body = CrashReports(sentAt: moment.now, crashes: nil, sessions: counts).json()
                sessions += Self.list("sessions", body).map { count in
                    batch.id == nil ? JSONObject(count.members.filter { $0.name != "id" }) : count
                }
            case .crash(let object):
                guard let crash = try? CrashReports.Crash(object, unknown: .ignored),
                    CrashLimits.accepts(timestamp: crash.timestamp, receivedAt: moment.now)
                else { continue }
                let body = CrashReports(sentAt: moment.now, crashes: [crash], sessions: nil).json()
                crashes += Self.list("crashes", body)
            }
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
