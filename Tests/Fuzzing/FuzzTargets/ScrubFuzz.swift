import SubGuardDomain

/// Input: a text of a crash report.
enum ScrubFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        let text = String(decoding: input, as: UTF8.self)
        var scrubber = CrashScrubber()
        let once = scrubber.text(text, maximumBytes: 2048)
        try hold(once.utf8.count <= 2048, "longer than the most")
        var second = CrashScrubber()
        let twice = second.text(once, maximumBytes: 2048)
        try hold(once.utf8.count > 1900 || twice == once, "masked again: \(once) became \(twice)")
        let printable = CrashScrubber.printable(Array(text.utf8))
        if scrubber.counts.isEmpty, printable.count <= 2048 {
            try hold(Array(once.utf8) == printable, "changed without a mask")
        }
        // Personal data planted in any text is removed.
        let planted = "x \(once.filter { $0 != "\"" }) \n zoe.p@planted.example\n192.0.2.211\npassword=hunter2planted\n"
        var third = CrashScrubber()
        let masked = third.text(String(planted.suffix(1500)), maximumBytes: 8192)
        for part in ["planted.example", "192.0.2.211", "hunter2planted"] {
            try hold(!masked.contains(part), "\(part) survives in \(masked)")
        }
    }
}
