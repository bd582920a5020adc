import HTTPWire
import JSONWire
import Logging
import SubGuardDomain
import TextCoding

/// The format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For human readers.
    case text
    /// For log collectors: one JSON object per line.
    case json
}

/// Writes one line per log event.
struct LineLogHandler: LogHandler {
    let sink: LogSink
    let format: LogFormat
    let now: @Sendable () -> UTCInstant
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }.sorted { $0.key < $1.key }
        let fields = all.map { ($0.key, "\($0.value)") }
        write(level: event.level, message: event.message.description, fields: fields)
    }

    private func write(level: Logger.Level, message: String, fields: [(String, String)]) {
        let time = now().rfc3339
        sink.append { output, _ in
            switch format {
            case .json:
                let bytes = JSONWriter.bytes(capacity: 256) { writer in
                    writer.field("time", time)
                    writer.field("level", level.rawValue)
                    writer.field("message", message)
                    for (key, value) in fields { writer.field(key, value) }
                }
                output.append(bytes)
            case .text:
                let tail = fields.map { " \($0.0)=\(Self.quoted($0.1))" }.joined()
                output.appendText("\(time) \(level.rawValue) \(Self.oneLine(message))\(tail)")
            }
        }
    }

    /// Quotes a value that could be parsed as several fields.
    static func quoted(_ value: String) -> String {
        value.unicodeScalars.contains { " \"=,;".unicodeScalars.contains($0) || Character($0).isNewline }
            ? "\"\(oneLine(value).escaping(["\"": "'"]))\"" : value
    }

    /// ``quoted(_:)`` for visible ASCII.
    static func appendQuoted(_ value: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        let isPlain = value.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: ";"): false
            default: true
            }
        }
        guard !isPlain else { return output.append(value) }
        let quote = UInt8(ascii: "\"")
        output.append(quote)
        for octet in value { output.append(octet == quote ? UInt8(ascii: "'") : octet) }
        output.append(quote)
    }

    /// Line breaks are replaced, because they would allow forged log lines.
    private static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
