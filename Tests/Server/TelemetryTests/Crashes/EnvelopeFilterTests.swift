import Foundation
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// The parser must say the same of an envelope and of what the filter leaves of it, whatever the pieces.
@Suite struct EnvelopeFilterTests {
    private func filtered(_ envelope: [UInt8], pieces: Int) -> [UInt8] {
        var filter = EnvelopeFilter()
        var kept: [UInt8] = []
        var start = 0
        while start < envelope.count {
            let end = min(start + pieces, envelope.count)
            filter.take(envelope[start..<end], into: &kept)
            start = end
        }
        filter.end(into: &kept)
        return kept
    }

    /// The types of the items with the payloads of those that are read, or the fault.
    private func meaning(_ envelope: [UInt8]) -> [String] {
        do throws(EnvelopeError) {
            let parsed = try EnvelopeParser.parse(envelope)
            return ["\(parsed.eventID?.uuidString ?? "-") \(parsed.dsn?.key ?? "-")"]
                + parsed.items.map { item in
                    let isRead = ["event", "session", "sessions", "client_report"].contains(item.type)
                    let payload = String(decoding: envelope[item.payload], as: UTF8.self)
                    return isRead ? "\(item.type) \(payload.prefix(80)) \(payload.utf8.count)" : item.type
                }
        } catch {
            return [error.detail]
        }
    }

    private static let picture = String(repeating: "\u{1F3AC}\n{}", count: 50)

    private static let samples: [String] = [
        "", "{}", "{}\n", "{}\n\n\n", "{}\n{\"type\":\"event\"}\n{\"message\":\"m\"}\n",
        "{\"event_id\":\"9ec79c33ec9942ab8353589fcb2e04dc\"}\n{\"type\":\"attachment\","
            + "\"length\":\(picture.utf8.count)}\n\(picture)\n"
            + "{\"type\":\"event\",\"length\":2}\n{}\n",
        "{}\n{\"type\":\"attachment\",\"length\":9999}\n\(picture)",
        "{}\n{\"type\":\"attachment\",\"length\":3}\nabcd\n",
        "{}\n{\"type\":\"attachment\",\"length\":0}\n\n{\"type\":\"session\"}\n{}",
        "{}\n{\"type\":\"log\"}\nno length\n{\"type\":\"session\"}\n{}",
        "{}\n{\"type\":\"attachment\",\"length\":-1}\nx", "{}\n{\"type\":\"attachment\",\"length\":1.5}\nx",
        "{}\n{\"length\":1}\nx",
        "{}\n{\"type\":\"\"}\nx", "{}\n[]\nx", "nonsense\n{\"type\":\"event\"}\n{}", "{}\n\n{\"type\":\"event\"}\n{}",
        "{}\n{\"type\":\"event\"}\n{}\n{\"type\":\"event\"}\n{}",
        "{}\n{\"type\":\"event\"}\n{}\n{\"type\":\"transaction\",\"length\":2}\n{}",
        "{}\n{\"type\":\"profile \\\" \\\\ \u{1F3AC}\",\"length\":1}\nx\n{\"type\":\"event\"}\n{}\r\n",
        "{}\n{\"type\":\"event\",\"length\":9}\n{}", "{}\n{\"type\":\"event\",\"length\":2}\n{}x",
        "{}\n{\"type\":\"attachment\",\"length\":2}\nab",
        "{}\n" + String(repeating: "{\"type\":\"log\",\"length\":1}\nx\n", count: 200),
        "{}\n" + String(repeating: "{\"type\":\"log\",\"length\":1}\nx\n", count: 201),
        "{\"a\":\"" + String(repeating: "a", count: 17_000) + "\"}\n{}",
        "{}\n{\"type\":\"log\",\"a\":\"" + String(repeating: "a", count: 17_000) + "\"}\nx",
    ]

    @Test(arguments: samples, [1, 2, 7, 64, 1 << 20])
    func changesNothingOfTheMeaning(_ sample: String, _ pieces: Int) {
        let envelope = Array(sample.utf8)
        #expect(meaning(filtered(envelope, pieces: pieces)) == meaning(envelope))
    }

    @Test func dropsWhatIsOfNoUse() {
        let envelope = Array(Self.samples[5].utf8)
        let kept = filtered(envelope, pieces: 11)
        #expect(kept.count < 150 && !String(decoding: kept, as: UTF8.self).contains("\u{1F3AC}"))
    }

    @Test func dropsEventsThatAreTooLarge() {
        let large = #"{"message":"\#(String(repeating: "m", count: 1 << 20))"}"#
        for header in [#"{"type":"event","length":\#(large.utf8.count)}"#, #"{"type":"event"}"#] {
            let envelope = Array("{}\n\(header)\n\(large)\n{\"type\":\"session\"}\n{}\n".utf8)
            let kept = filtered(envelope, pieces: 65_536)
            #expect(kept.count <= (1 << 20) + 200)
            let parsed = try? EnvelopeParser.parse(kept)
            #expect(parsed?.items.map(\.type) == ["event", "session"])
        }
    }

    /// Mutated samples, so that faults fall on every byte of the framing.
    @Test func changesNothingOfTheMeaningOfDamagedEnvelopes() {
        var random = SeededRandom(seed: 2_026_11_27)
        for _ in 0..<2_000 {
            var envelope = Array(Self.samples[Int.random(in: 0..<23, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !envelope.isEmpty {
                let place = Int.random(in: envelope.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: envelope.remove(at: place)
                case 1:
                    envelope.insert([0x0A, 0x7B, 0x7D, 0x22, 0x39][Int.random(in: 0..<5, using: &random)], at: place)
                default: envelope.removeSubrange(place...)
                }
            }
            let kept = filtered(envelope, pieces: Int.random(in: 1...300, using: &random))
            #expect(meaning(kept) == meaning(envelope), "\(String(decoding: envelope, as: UTF8.self).debugDescription)")
        }
    }
}
