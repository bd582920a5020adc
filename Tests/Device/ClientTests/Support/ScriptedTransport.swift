import Foundation
import SubGuardClient
import Synchronization

/// Returns scripted responses, and records the requests.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (_ request: TransportRequest, _ number: Int) throws(TransportError) -> TransportAnswer

    private let script: Script
    private let log = Mutex<[TransportRequest]>([])

    init(_ script: @escaping Script) { self.script = script }

    var requests: [TransportRequest] { log.withLock { $0 } }

    /// The paths with their queries.
    var targets: [String] {
        requests.map { request in
            let parts = URLComponents(string: request.url)
            return (parts?.path ?? "?") + (parts?.query.map { "?" + $0 } ?? "")
        }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
        let number = log.withLock { log in
            log.append(request)
            return log.count
        }
        return try script(request, number)
    }
}

extension TransportAnswer {
    static func json(_ text: String, status: Int = 200, fields: [String: String] = [:]) -> TransportAnswer {
        TransportAnswer(status: status, fields: fields, body: Array(text.utf8))
    }

    static func problem(_ status: Int, _ code: String, fields: [String: String] = [:]) -> TransportAnswer {
        .json(#"{"status":\#(status),"code":"\#(code)","detail":"D"}"#, status: status, fields: fields)
    }
}
