import BackendHTTP
import Operations
import ServerAccess
import SubGuardDomain
import Synchronization
import TestKit
import Testing

@Suite struct BackupJobTests {
    private final class Notes: Sendable {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }
        func add(_ note: String) { kept.withLock { $0.append(note) } }
    }

    @Test(.enabled(if: TestDatabase.chosen == .sqlite, "a backup is made of a file"))
    func makesAndProvesABackupEachTimeThatOneIsDue() throws {
        let server = try TestServer()
        defer { server.end() }
        let notes = Notes()
        let job = BackupJob(store: server.outside, keep: 2, drills: true) { message, _ in notes.add(message) }
        try job.runIfDue(everyHours: 24)
        try job.runIfDue(everyHours: 24)
        #expect(notes.all == ["backup written", "backup verified"])
        server.clock.advance(by: .seconds(24 * 3600 - 1))
        try job.runIfDue(everyHours: 24)
        #expect(notes.all.count == 2)
        for _ in 0..<3 {
            server.clock.advance(by: .seconds(24 * 3600))
            try job.runIfDue(everyHours: 24)
        }
        #expect(notes.all.count == 8)
        #expect(server.outside.backups.list(at: server.outside.context.now()).count == 2)
        let status = BackupStatus(in: server.outside.backups)
        #expect(status.lastProven == server.outside.backups.list(at: server.outside.context.now()).last)
        #expect(try server.get("/metrics").text.contains("subguard_restore_drill_success 1\n"))
        // Setting the clock back must not stop the backups.
        server.clock.now -= 400 * 86_400_000
        try job.runIfDue(everyHours: 24)
        #expect(notes.all.count == 10)
    }
}
