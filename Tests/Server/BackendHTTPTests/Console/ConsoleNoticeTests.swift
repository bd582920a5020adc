import Console
import Foundation
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP
@testable import ConsoleHTTP

@Suite struct ConsoleNoticeTests {
    private func kept(_ number: UInt64, of session: UUID, _ result: ConsoleNotices.Result) -> ConsoleNotices.Kept {
        ConsoleNotices.Kept(
            id: "\(number)", session: session, location: "/console", result: result,
            at: UTCInstant(millisecondsSinceEpoch: Int64(number)))
    }

    /// Sessions are free to begin, and each keeps results of its own.
    @Test func boundsTheMemoryOfAllResults() {
        let longest = LogosPage.Result(
            fileName: String(repeating: "\u{1F1E6}x", count: 2000),
            item: (makeID(1), String(repeating: "\u{20000}", count: 120)), outcome: .set)
        let logos = Array(repeating: longest, count: 600)
        var entries: [ConsoleNotices.Kept] = []
        for number in 0..<200 {
            let session = makeID(UInt64(number / 20))
            entries.append(kept(UInt64(number), of: session, .logos(logos)))
            ConsoleNotices.bound(&entries, session)
        }
        #expect(entries.last?.id == "199")
        #expect(entries.count > 20 && entries.count < 200)
        #expect(entries.reduce(0) { $0 + $1.bytes } <= ConsoleNotices.mostBytes)
        let texts = longest.fileName.utf8.count + 480
        #expect(entries.allSatisfy { $0.bytes >= 600 * texts }, "an estimate, but not of nothing")
    }

    @Test func aResultBeyondTheBoundIsNotKept() {
        let content = String(repeating: "a", count: ConsoleNotices.mostBytes + 1)
        let report = ImportPage.Report(counts: [:], isDryRun: true)
        var entries = [
            kept(1, of: makeID(1), .logos([])),
            kept(2, of: makeID(1), .imported(report, content: content, fileName: "", skipsBadRows: false)),
        ]
        ConsoleNotices.bound(&entries, makeID(1))
        #expect(entries.isEmpty)
    }

    @Test func keepsTheNewestOfASession() {
        var entries: [ConsoleNotices.Kept] = []
        for number in 0..<30 {
            entries.append(kept(UInt64(number), of: makeID(1), .logos([])))
            ConsoleNotices.bound(&entries, makeID(1))
        }
        #expect(entries.map(\.id) == (10..<30).map { "\($0)" })
    }
}
