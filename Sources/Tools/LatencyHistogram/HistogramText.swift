import Foundation
package import Histogram
import ZlibCoding

/// HdrHistogram's own format: V2, compressed, in base64. Its tools and libraries read it.
package enum HistogramText {
    package static func encoded(_ histogram: Histogram<UInt64>) -> String {
        var counts: [UInt8] = []
        var empty: Int64 = 0
        for step in histogram.allValues() {
            // A run of empty counts is one negative number.
            if step.count > 0, empty > 0 { append(-empty, to: &counts) }
            if step.count > 0 { append(Int64(step.count), to: &counts) }
            empty = step.count > 0 ? 0 : empty + 1
        }
        // The cookie, the length of the counts, no offset, three significant digits, the range, and no scale.
        let payload =
            bytes(UInt32(0x1C84_9313)) + bytes(UInt32(counts.count)) + bytes(UInt32(0)) + bytes(UInt32(3))
            + bytes(UInt64(1)) + bytes(histogram.highestTrackableValue) + bytes(Double(1).bitPattern) + counts
        let compressed = ZlibStream.compressed(payload)
        return Data(bytes(UInt32(0x1C84_9314)) + bytes(UInt32(compressed.count)) + compressed).base64EncodedString()
    }

    /// ZigZag and LEB128; counts are less than 2^55.
    private static func append(_ value: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

extension Histogram where Count == UInt64 {
    /// For microseconds, with three significant digits and room for more than ten minutes.
    package static func microseconds(_ digits: SignificantDigits = .three) -> Self {
        var histogram = Self(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: digits)
        histogram.autoResize = true
        return histogram
    }

    /// Returns 0 if nothing was measured.
    package func value(at percent: Double) -> UInt64 { totalCount == 0 ? 0 : valueAtPercentile(percent) }

    /// Records a duration in nanoseconds as microseconds; a negative one as 0.
    package mutating func record(nanoseconds: Int64) { record(UInt64(Swift.max(0, nanoseconds) / 1000)) }
}
