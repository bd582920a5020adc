import HTTPServer
import HTTPWire
import JSONWire
import SubGuardDomain

/// One line for each answered request: id, method, route template, status, time taken. Never a path with its values, a
/// query, an address of the client or a credential.
struct AccessLog: Sendable {
    let sink: LogSink
    let format: LineLogHandler.Format
    let now: @Sendable () -> UTCInstant
    /// Whether anybody wants the lines; asked before ``write(_:request:route:)``, which costs something.
    let isEnabled: Bool

    func write(_ record: RequestRecord, request: Request, route: String) {
        let time = now().rfc3339
        let method = record.headWasRead ? request.method.name : "-"
        let microseconds = Int64(clamping: record.nanoseconds / 1000)
        sink.append { output in
            switch format {
            case .json:
                var writer = JSONWriter(capacity: 320)
                writer.beginObject()
                writer.field("time", time)
                writer.field("level", "info")
                writer.field("message", "request")
                writer.field("request_id", request.id)
                writer.field("trace_parent", Self.traceParent(request))
                writer.field("method", method)
                writer.field("route", route)
                writer.field("status", record.status)
                writer.field("duration_us", microseconds)
                writer.field("body_bytes_in", request.body.count)
                writer.field("body_bytes_out", record.bodyBytesOut)
                writer.endObject()
                output.append(contentsOf: writer.bytes)
            case .text:
                let line =
                    "\(time) info request request_id=\(LineLogHandler.quoted(request.id)) method=\(method) route=\(route) "
                    + "status=\(record.status) duration_us=\(microseconds) body_bytes_in=\(request.body.count) "
                    + "body_bytes_out=\(record.bodyBytesOut)"
                output.append(contentsOf: line.utf8)
            }
        }
    }

    /// As W3C Trace Context writes it (`00-<32 hex>-<16 hex>-<2 hex>`, ids not zero), else nothing: what a client invents
    /// does not belong in a field that tools take for a trace.
    private static func traceParent(_ request: Request) -> String? {
        guard let text = request.head.value(of: .traceParent) else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        // Later versions may append fields; of version 00 there are four.
        guard parts.count == 4 || parts.count > 4 && parts[0] != "00", parts[0] != "ff",
            parts.prefix(4).map(\.utf8.count) == [2, 32, 16, 2], text.utf8.count <= 256,
            parts.prefix(4).joined().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        return parts.prefix(4).joined(separator: "-")
    }
}
