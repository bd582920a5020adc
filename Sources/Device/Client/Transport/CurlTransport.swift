#if os(Linux)
    import CCurl
    import Foundation
    import Outbound

    /// Sends requests with libcurl, without cookies, cache, stored credentials and redirects.
    ///
    /// http is for servers on this machine and never uses a proxy; https uses that of the environment.
    public final class CurlTransport: Transport {
        private let handles = TransferHandles()

        /// Connections are kept for later requests.
        public init() {}

        /// Sends a request on a thread of its own; cancelling the task stops it.
        public func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
            let stop = OutboundStop()
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    // libcurl blocks its thread, and Dispatch gives blocked queues a new one a second at most.
                    Thread.detachNewThread { [handles] in
                        continuation.resume(returning: Self.outcome(of: request, handles, stop))
                    }
                }
            } onCancel: {
                stop.stop()
            }
            return try outcome.get()
        }

        private static func outcome(
            of request: TransportRequest, _ handles: TransferHandles, _ stop: OutboundStop
        ) -> Result<TransportAnswer, TransportError> {
            guard let url = OutboundURL(request.url, schemes: HTTPExchange.schemes) else {
                return .failure(.unreachable(.unusableAddress))
            }
            var limits = OutboundLimits()
            // Rounded up: a call that ends a moment too early leaves time for another one. 0 would be no limit.
            let milliseconds = (request.timeout / .milliseconds(1)).rounded(.up)
            limits.totalMilliseconds = Int(max(1, min(milliseconds, 86_400_000)))
            limits.connectMilliseconds = limits.totalMilliseconds
            limits.maximumAnswerBytes = request.maximumAnswerBytes
            let exchange = HTTPExchange(
                url: url, method: request.method, fields: request.fields, body: request.body)
            do throws(OutboundError) {
                let answer = try exchange.send(on: handles, limits: limits, stop: stop)
                return .success(TransportAnswer(status: answer.status, fields: answer.fields, body: answer.body))
            } catch {
                return .failure(TransportError(error))
            }
        }
    }

    extension TransportError {
        init(_ error: OutboundError) {
            switch error {
            case .answerTooLarge: self = .answerTooLarge
            case .stopped: self = .cancelled
            case .cannotResolve: self = .unreachable(.noSuchHost)
            case .libcurl(let code, let words, let certificate): self.init(code, words, certificate)
            case .notAllowed, .failed, .replied: self = .unreachable(.other(ClientError.line("\(error)")))
            }
        }

        private init(_ code: CURLcode, _ words: String, _ certificate: Int) {
            switch code {
            case CURLE_OPERATION_TIMEDOUT: self = .timedOut
            case CURLE_FILESIZE_EXCEEDED: self = .answerTooLarge
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unreachable(.noSuchHost)
            case CURLE_COULDNT_CONNECT: self = .unreachable(.nobodyListens)
            case CURLE_SSL_CONNECT_ERROR: self = .unreachable(.noTLS)
            case CURLE_PEER_FAILED_VERIFICATION: self = .untrusted(CertificateFault(openSSL: certificate))
            // The scheme is always supported, so this concerns the response.
            case CURLE_UNSUPPORTED_PROTOCOL: self = .unreachable(.noHTTP)
            case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR:
                self = .unreachable(.garbled)
            // A header that is too large, in the versions of libcurl without a code for it.
            case CURLE_OUT_OF_MEMORY: self = .unreachable(.garbled)
            case CURLE_RECV_ERROR where words.contains("chunked-encoding"): self = .unreachable(.garbled)
            case CURLE_RECV_ERROR where words.contains("CONNECT"):
                self = .unreachable(.other(ClientError.line(words)))
            case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR: self = .unreachable(.cut)
            default: self = .unreachable(.other(ClientError.line(words)))
            }
        }
    }

    extension CertificateFault {
        /// - Parameter code: `X509_V_ERR_…`. libcurl compares the name itself and leaves it at 0 or 1.
        fileprivate init(openSSL code: Int) {
            switch code {
            case 0, 1, 62: self = .otherHost
            case 9: self = .notYetValid
            case 10: self = .expired
            case 18: self = .selfSigned
            case 23: self = .revoked
            default: self = .unknownAuthority
            }
        }
    }
#endif
