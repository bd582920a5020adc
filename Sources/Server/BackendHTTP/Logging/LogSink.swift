import Dispatch
import Foundation
import HTTPWire
import JSONWire
import Logging
import SubGuardDomain
import Synchronization
import TextCoding

/// Accepts lines from any thread and writes them to standard error on its own queue, so that a slow reader of the log
/// never delays a request. Lines are buffered for 100 ms or up to 64 KiB, so a busy server writes hundreds per system
/// call. Lines that do not fit into the buffer, or cannot be written, are dropped and counted.
final class LogSink: Sendable {
    private struct State: ~Copyable {
        var lines = OutputBuffer(capacity: 2 * LogSink.fullBytes)
        var time = LineTime()
        var dropped: Int64 = 0
        /// Whether a write is scheduled, at most 100 ms after the first waiting line.
        var isScheduled = false
        /// Whether an immediate write was requested.
        var isUrgent = false
    }

    private enum Next {
        case nothing
        case writeSoon
        case writeNow
    }

    private let state = Mutex(State())
    /// The buffer being written; swapped with the one being filled. Locked only on the queue.
    private let leaving = Mutex(OutputBuffer(capacity: 2 * LogSink.fullBytes))
    private let queue = DispatchQueue(label: "subguard.log", qos: .utility)
    private let descriptor: Int32

    /// Maximum size of buffered log text, in bytes.
    private static let maximumWaitingBytes = 4 << 20
    /// Size of buffered text that triggers an immediate write, in bytes.
    private static let fullBytes = 64 << 10
    private static let gatherMilliseconds = 100

    init(descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

    /// Lines dropped because the log was not read fast enough, or because writing failed.
    var dropped: Int64 { state.withLock { $0.dropped } }

    /// Appends one line; `write` appends its bytes without the line break.
    func append(_ write: (inout OutputBuffer, inout LineTime) -> Void) {
        let next: Next = state.withLock { state in
            guard state.lines.count < Self.maximumWaitingBytes else {
                state.dropped += 1
                return .nothing
            }
            write(&state.lines, &state.time)
            state.lines.append(UInt8(ascii: "\n"))
            if state.lines.count >= Self.fullBytes {
                defer { state.isUrgent = true }
                return state.isUrgent ? .nothing : .writeNow
            }
            defer { state.isScheduled = true }
            return state.isScheduled ? .nothing : .writeSoon
        }
        switch next {
        case .nothing: break
        case .writeSoon:
            queue.asyncAfter(deadline: .now() + .milliseconds(Self.gatherMilliseconds)) { self.writeWaiting() }
        case .writeNow: queue.async { self.writeWaiting() }
        }
    }

    /// Returns when all lines appended so far are written.
    func flush() { queue.sync { writeWaiting() } }

    private func writeWaiting() {
        leaving.withLock { leaving in
            state.withLock { state in
                swap(&state.lines, &leaving)
                state.isScheduled = false
                state.isUrgent = false
            }
            leaving.withBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let count = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                    if count < 0, errno == EINTR { continue }
                    // The log's reader is gone or its disk is full, so the error cannot be reported.
                    guard count > 0 else {
                        let lost = bytes[offset...].count { $0 == UInt8(ascii: "\n") }
                        return state.withLock { $0.dropped += Int64(lost) }
                    }
                    offset += count
                }
            }
            leaving.removeAll()
        }
    }
}

/// Writes the time of a line as RFC 3339, with milliseconds only if they are not zero. Caches the text of the last
/// second, because most lines share it.
struct LineTime {
    private var second = Int64.min
    /// The text up to the seconds, without time zone.
    private var text: [UInt8] = []

    mutating func append(_ instant: UTCInstant, to output: inout OutputBuffer) {
        let (quotient, rest) = instant.millisecondsSinceEpoch.quotientAndRemainder(dividingBy: 1000)
        let millisecond = rest < 0 ? rest + 1000 : rest
        let current = rest < 0 ? quotient - 1 : quotient
        if current != second {
            second = current
            text = Array(UTCInstant(secondsSinceEpoch: current).rfc3339.utf8.dropLast())
        }
        output.append(text)
        if millisecond != 0 {
            output.append(UInt8(ascii: "."))
            for divisor: Int64 in [100, 10, 1] {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecond / divisor % 10))
            }
        }
        output.append(UInt8(ascii: "Z"))
    }
}

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
