import CPostgres
import Dispatch
import Foundation
import SQLDatabase
import Synchronization

/// Listens to a channel (https://www.postgresql.org/docs/current/sql-notify.html) on its own connection, and reconnects
/// when the connection is lost.
final class PostgresListener: SQLListener {
    private let hosts: PostgresHosts
    private let channel: String
    private let heard: @Sendable () -> Void
    private let isStopping = Atomic<Bool>(false)
    private let ended = DispatchGroup()

    /// Maximum delay of a stop, and the pause before reconnecting, in milliseconds.
    private static let pollMilliseconds: Int32 = 250

    /// - Parameter channel: letters and underscores.
    init(_ hosts: PostgresHosts, channel: String, _ heard: @escaping @Sendable () -> Void) {
        self.hosts = hosts
        self.channel = channel
        self.heard = heard
        ended.enter()
        let thread = Thread { [self] in
            while !isStopping.load(ordering: .relaxed) {
                try? listen()
                if !isStopping.load(ordering: .relaxed) {
                    Thread.sleep(forTimeInterval: Double(Self.pollMilliseconds) / 1000)
                }
            }
            ended.leave()
        }
        thread.name = "subguard.listen"
        thread.start()
    }

    func stop() {
        isStopping.store(true, ordering: .relaxed)
        ended.wait()
    }

    /// Returns after a stop; throws if the connection breaks.
    private func listen() throws {
        let connection = try hosts.connect()
        try connection.run("LISTEN \"\(channel)\"", context: "listen")
        heard()
        var wanted = pollfd(fd: PQsocket(connection.handle), events: Int16(POLLIN), revents: 0)
        while !isStopping.load(ordering: .relaxed) {
            guard poll(&wanted, 1, Self.pollMilliseconds) > 0 else { continue }
            guard PQconsumeInput(connection.handle) == 1 else { throw SQLError.disconnected("listen") }
            var count = 0
            while let notification = PQnotifies(connection.handle) {
                PQfreemem(notification)
                count += 1
            }
            if count > 0 { heard() }
        }
    }
}
