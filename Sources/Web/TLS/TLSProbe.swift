import HTTPServer

/// One request to a server on this machine; the name in its certificate is not verified.
package enum TLSProbe {
    /// Sends `request` and returns the first bytes of the response. `descriptor` is a blocking socket; its timeouts
    /// apply to each step.
    package static func exchange(_ request: [UInt8], answerBytes: Int, descriptor: Int32) -> [UInt8]? {
        guard let context = TLSContext(ofClient: ()),
            let session = TLSSession(context, descriptor: descriptor, isClient: true), shakeHands(session),
            request.withUnsafeBytes({ session.send($0) }) == request.count
        else { return nil }
        var answer = [UInt8](repeating: 0, count: answerBytes)
        for _ in 0..<attempts {
            let received = answer.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { session.receive(into: $0, room: buffer.count) } ?? .broken
            }
            switch received {
            case .bytes(let count, _): return Array(answer[..<count])
            case .nothingYet, .tryAgain: continue
            case .end, .broken: return nil
            }
        }
        return nil
    }

    /// A session stops after each read that empties the socket. There are never more than a few messages.
    private static let attempts = 8

    private static func shakeHands(_ session: TLSSession) -> Bool {
        for _ in 0..<attempts {
            switch session.shakeHands() {
            case .done: return true
            case .waitsForInput, .waitsForRoom: continue
            case .plainHTTP, .failed: return false
            }
        }
        return false
    }
}
