import JSONWire
import SubGuardDomain
import Telemetry

/// Input: the body of an envelope.
enum EnvelopeFuzz {
    private static let receivedAt = UTCInstant(millisecondsSinceEpoch: 1_772_323_199_999)

    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        let envelope: Envelope
        do {
            envelope = try EnvelopeParser.parse(input)
        } catch {
            return
        }
        try check(envelope, input)
        let submission = EnvelopeReader.read(envelope, body: input, receivedAt: receivedAt)
        let tally = submission.tally
        let counted = [tally.acceptedItems, tally.skippedItems, tally.malformedItems].flatMap(\.values).reduce(0, +)
        try hold(counted == Int64(envelope.items.count), "items neither taken, skipped nor malformed")
        try hold(submission.reports.count <= 1, "more than one report")
        for report in submission.reports { try check(report) }
    }

    /// Items are in order inside the body, each after a header.
    private static func check(_ envelope: Envelope, _ input: [UInt8]) throws(BrokenPromise) {
        var end = envelope.header.upperBound
        for item in envelope.items {
            try hold(item.payload.lowerBound > end, "an item overlaps what is before it")
            try hold(item.payload.upperBound <= input.count, "an item ends behind the body")
            try hold(
                item.payload.upperBound == input.count || input[item.payload.upperBound] == UInt8(ascii: "\n"),
                "an item does not end at a line's end")
            end = item.payload.upperBound
        }
        try hold(envelope.items.count <= EnvelopeParser.maximumItems, "too many items")
    }

    private static func check(_ report: CrashReport) throws(BrokenPromise) {
        try hold(report.occurredAt <= receivedAt, "a crash of the future")
        guard let sample = try? JSONValue.parse(report.sample, maximumDepth: 16) else {
            throw BrokenPromise("a sample that is no JSON")
        }
        let names = Set(CrashRegistry.fields.map { String($0.path.prefix { $0 != "." && $0 != "[" }) })
        let members = sample.objectValue?.members.map(\.name) ?? []
        try hold(members.allSatisfy(names.contains), "a field that is not kept")
        try hold(report.title.utf8.count <= 200 + 16, "a title without bound")
        var scrubber = CrashScrubber()
        let title = scrubber.text(report.title, maximumBytes: 4096)
        try hold(!title.contains("@") || !hasMailAddress(title), "a mail address survives")
    }

    /// Finds addresses differently from the scrubber: letters, one sign, letters, a dot and two letters.
    private static func hasMailAddress(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 }
        let bytes = Array(text.utf8)
        for sign in bytes.indices where bytes[sign] == UInt8(ascii: "@") {
            guard sign > 0, isLetter(bytes[sign - 1]) else { continue }
            let domain = bytes[(sign + 1)...].prefix(while: isLetter)
            let rest = bytes[(sign + 1 + domain.count)...]
            if !domain.isEmpty, rest.first == UInt8(ascii: "."), rest.dropFirst().prefix(2).count(where: isLetter) == 2
            {
                return true
            }
        }
        return false
    }
}
