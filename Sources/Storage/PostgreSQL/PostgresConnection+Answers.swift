import CPostgres
import Foundation

/// Sending and waiting with libpq's asynchronous calls (https://www.postgresql.org/docs/current/libpq-async.html). The
/// blocking calls wait until the kernel gives up the connection; these time out when the server is stopped or
/// unreachable.
extension PostgresConnection {
    /// The result of the statement just sent: the first failure, else the last result. Nil, and the connection broken,
    /// if there is none.
    func answer(to isSent: Int32) -> OpaquePointer? {
        guard isSent == 1, flush() else {
            giveUp()
            return nil
        }
        var answer: OpaquePointer?
        while true {
            guard let result = nextResult() else {
                if isBroken {
                    PQclear(answer)
                    return nil
                }
                return answer
            }
            guard let found = answer else {
                answer = result
                continue
            }
            if PQresultStatus(found) == PGRES_FATAL_ERROR {
                PQclear(result)
            } else {
                PQclear(found)
                answer = result
            }
        }
    }

    /// Nil at the end of a statement's results, and if none arrives in time: then the connection is broken.
    func nextResult() -> OpaquePointer? {
        let deadline = deadline
        while PQisBusy(handle) == 1 {
            guard wait(for: POLLIN, until: deadline), PQconsumeInput(handle) == 1 else {
                giveUp()
                return nil
            }
        }
        return PQgetResult(handle)
    }

    /// Sends the buffer. Also reads, because a server that cannot write does not read.
    func flush() -> Bool {
        let deadline = deadline
        while true {
            switch PQflush(handle) {
            case 0: return true
            case 1:
                guard wait(for: POLLIN | POLLOUT, until: deadline), PQconsumeInput(handle) == 1 else { return false }
            default: return false
            }
        }
    }

    /// How long a response may take until the other hosts are tried.
    private static let hostCheckMilliseconds: UInt64 = 500

    private var deadline: ContinuousClock.Instant? { timeout.map { .now + $0 } }

    /// Returns false after a timeout, or when another host has become the primary.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
        var wanted = pollfd(fd: PQsocket(handle), events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let left = deadline.map { ContinuousClock.now.duration(to: $0).wholeMilliseconds } ?? -1
            guard deadline == nil || left > 0 else { return false }
            // -1 as unsigned is the longest time.
            let slice = hosts == nil ? left : Int64(min(UInt64(bitPattern: left), Self.hostCheckMilliseconds))
            let count = poll(&wanted, 1, Int32(clamping: slice))
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
            if count == 0, let hosts, hosts.havePrimary(besides: self) { return false }
        }
    }
}
