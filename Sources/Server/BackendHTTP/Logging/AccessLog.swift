import HTTPServer
import HTTPWire
import SubGuardDomain

/// Writes one line per request: id, method, route template, status and duration. Never logs path values, queries,
/// client addresses or credentials.
///
/// Runs for every request, so it writes bytes directly into the sink's buffer without creating strings.
struct AccessLog: Sendable {
    private let sink: LogSink
    private let format: LogFormat
    private let now: @Sendable () -> UTCInstant
    /// Whether lines are written; checked before ``write(_:request:)``.
    let isEnabled: Bool
    /// The text from method to status by route index; the last entry is for requests without a route.
    private let routes: [[UInt8]]

    /// `templates` contains the route templates in the order of the route table.
    init(
        sink: LogSink, format: LogFormat, now: @escaping @Sendable () -> UTCInstant, isEnabled: Bool,
        templates: [String]
    ) {
        self.sink = sink
        self.format = format
        self.now = now
        self.isEnabled = isEnabled
        routes = (templates + ["none"]).map { template in
            switch format {
            case .json: Array("\",\"route\":\"\(template)\",\"status\":".utf8)
            case .text: Array(" route=\(template) status=".utf8)
            }
        }
    }

    func write(_ record: RequestRecord, request: Request) {
        let instant = now()
        sink.append { output, time in
            switch format {
            case .json: writeJSON(record, request, instant, &time, to: &output)
            case .text: writeText(record, request, instant, &time, to: &output)
            }
        }
    }

    private func writeText(
        _ record: RequestRecord, _ request: Request, _ instant: UTCInstant, _ time: inout LineTime,
        to output: inout OutputBuffer
    ) {
        time.append(instant, to: &output)
        output.append(" info request request_id=")
        if request.hasGivenID {
            request.head.withValue(of: .requestID) { LineLogHandler.appendQuoted($0, to: &output) }
        } else {
            request.appendID(to: &output)
        }
        output.append(" method=")
        appendMethod(of: record, request, to: &output)
        output.append(routes[record.route ?? routes.count - 1])
        output.appendDecimal(record.status)
        output.append(" duration_us=")
        output.appendDecimal(Self.microseconds(record))
        output.append(" body_bytes_in=")
        output.appendDecimal(request.body.count)
        output.append(" body_bytes_out=")
        output.appendDecimal(record.bodyBytesOut)
    }

    private func writeJSON(
        _ record: RequestRecord, _ request: Request, _ instant: UTCInstant, _ time: inout LineTime,
        to output: inout OutputBuffer
    ) {
        output.append("{\"time\":\"")
        time.append(instant, to: &output)
        output.append("\",\"level\":\"info\",\"message\":\"request\",\"request_id\":\"")
        if request.hasGivenID {
            request.head.withValue(of: .requestID) { Self.appendEscaped($0, to: &output) }
        } else {
            request.appendID(to: &output)
        }
        output.append("\",\"trace_parent\":")
        let isTraced: Bool? = request.head.withValue(of: .traceParent) { value in
            guard let parent = TraceParent.bytes(of: value) else { return false }
            output.append("\"")
            output.append(parent)
            output.append("\"")
            return true
        }
        if isTraced != true { output.append("null") }
        output.append(",\"method\":\"")
        appendMethod(of: record, request, to: &output)
        output.append(routes[record.route ?? routes.count - 1])
        output.appendDecimal(record.status)
        output.append(",\"duration_us\":")
        output.appendDecimal(Self.microseconds(record))
        output.append(",\"body_bytes_in\":")
        output.appendDecimal(request.body.count)
        output.append(",\"body_bytes_out\":")
        output.appendDecimal(record.bodyBytesOut)
        output.append("}")
    }

    /// A request with an unreadable head has no method.
    private func appendMethod(of record: RequestRecord, _ request: Request, to output: inout OutputBuffer) {
        if record.headWasRead { output.appendText(request.method.name) } else { output.append("-") }
    }

    private static func microseconds(_ record: RequestRecord) -> Int { Int(clamping: record.nanoseconds / 1000) }

    /// Request ids are visible ASCII, so only two octets need escaping in a JSON string.
    private static func appendEscaped(_ id: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
        for octet in id {
            if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
            output.append(octet)
        }
    }
}
