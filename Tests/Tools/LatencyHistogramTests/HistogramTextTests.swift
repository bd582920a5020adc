import Foundation
import Histogram
import Testing
import ZlibCoding

@testable import LatencyHistogram

@Suite struct HistogramTextTests {
    /// What HdrHistogram's Python library writes for these values, decompressed.
    @Test func isTheTextOfHdrHistogramItself() throws {
        var histogram = Histogram<UInt64>.microseconds()
        for value in [0, 1, 2_047, 2_048, 2_048, 5_000, 1_234_567, 599_999_999] as [UInt64] { histogram.record(value) }
        for _ in 0..<300 { histogram.record(70) }
        let bytes = try #require(Data(base64Encoded: HistogramText.encoded(histogram)))
        #expect(bytes.prefix(4).elementsEqual([0x1C, 0x84, 0x93, 0x14]))
        #expect(bytes[4..<8].reduce(0) { $0 << 8 | Int($1) } == bytes.count - 8)
        let payload = try Inflater.inflate(Array(bytes.dropFirst(8)), maximumBytes: 10_000)
        let text = """
            1c84931300000014000000000000000300000000000000010000000023c346003ff0000000000000\
            02028701d804ef1e0204c11302a37f02838f0102
            """
        #expect(payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == text)
    }

    @Test func anEmptyHistogramHasNoCounts() throws {
        let bytes = try #require(Data(base64Encoded: HistogramText.encoded(.microseconds())))
        let payload = try Inflater.inflate(Array(bytes.dropFirst(8)), maximumBytes: 10_000)
        #expect(payload.count == 40)
        #expect(payload[4..<8].elementsEqual([0, 0, 0, 0]))
    }
}
