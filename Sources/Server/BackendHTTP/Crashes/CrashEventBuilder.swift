import JSONWire
import SubGuardDomain

/// Arranges the fields of a crash as an event of the Sentry protocol, so that the same code reads both.
struct CrashEventBuilder {
    var timestamp = UTCInstant.earliest
    var isHandled: JSONValue?
    var fingerprint: [JSONValue] = []
    /// Outermost first.
    var frames: [JSONValue] = []
    private var texts: [String: JSONValue] = [:]

    /// Nil leaves the field unset.
    mutating func set(_ text: JSONValue?, at path: String) { texts[path] = text }

    var value: JSONValue {
        var exception = members([("type", "exception.values[].type"), ("value", "exception.values[].value")])
        if let isHandled { exception.append(("mechanism", .object(JSONObject([("handled", isHandled)])))) }
        if !frames.isEmpty {
            exception.append(("stacktrace", .object(JSONObject([("frames", .array(frames))]))))
        }
        let system = members([("name", "contexts.os.name"), ("version", "contexts.os.version")])
        let device = members([("model", "contexts.device.model")])
        var event = members([
            ("platform", "platform"), ("release", "release"), ("dist", "dist"), ("environment", "environment"),
        ])
        event.append(("level", texts["level"] ?? .string("fatal")))
        event.append(("timestamp", .string(timestamp.rfc3339)))
        event.append(("exception", .object(JSONObject([("values", .array([.object(JSONObject(exception))]))]))))
        event.append(
            (
                "contexts",
                .object(JSONObject([("os", .object(JSONObject(system))), ("device", .object(JSONObject(device)))]))
            )
        )
        if !fingerprint.isEmpty { event.append(("fingerprint", .array(fingerprint))) }
        return .object(JSONObject(event))
    }

    private func members(_ names: [(name: String, path: String)]) -> [(name: String, value: JSONValue)] {
        names.compactMap { name, path in texts[path].map { (name, $0) } }
    }
}
