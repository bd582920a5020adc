import Simulator
import Synchronization
import Testing

struct ProgressDisplayTests {
    private func shown(isTerminal: Bool, _ use: (ProgressDisplay) -> Void) -> String {
        let text = Mutex("")
        use(ProgressDisplay(isTerminal: isTerminal) { more in text.withLock { $0 += more } })
        return text.withLock { $0 }
    }

    @Test func writesPlainLinesForEveryTenth() {
        let text = shown(isTerminal: false) { progress in
            for done in 1...300 { progress.show(done: done, of: 300, events: done * 10) }
            progress.note("rate limit reached; waiting 3 s")
            progress.end()
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 13)
        #expect(lines[0] == "0 %: 1 of 300 devices, 10 events")
        #expect(lines[5] == "50 %: 150 of 300 devices, 1500 events")
        #expect(lines[10] == "100 %: 300 of 300 devices, 3000 events")
        #expect(lines[11] == "rate limit reached; waiting 3 s")
        #expect(!text.contains("\r") && !text.contains("\u{1B}"))
    }

    @Test func drawsABarOverItselfOnATerminal() {
        let text = shown(isTerminal: true) { progress in
            progress.show(done: 1, of: 3, events: 40)
            progress.show(done: 1, of: 3, events: 40)
            progress.show(done: 3, of: 3, events: 120)
            progress.end()
        }
        let bars = ["##########....................", "##############################"]
        #expect(
            text == "\r\u{1B}[K[\(bars[0])] 33 %  1 of 3 devices, 40 events"
                + "\r\u{1B}[K[\(bars[1])] 100 %  3 of 3 devices, 120 events\n")
    }
}
