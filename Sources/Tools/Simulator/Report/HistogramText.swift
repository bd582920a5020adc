import Foundation
package import Histogram
import ZlibCoding

/// HdrHistogram's own format: V2, compressed, in base64. Its tools and libraries read it.
package enum HistogramText {
    /// Of the three significant digits of ``Histogram/microseconds(_:)``.
    private static let halfCountMagnitude = 10

    package static func encoded(_ histogram: Histogram<UInt64>) -> String {
        var counts: [UInt8] = []
        var next = 0
        for step in histogram.recordedValues() {
            let index = index(of: step.value)
            // A run of empty counts is one negative number.
            if index > next { append(Int64(next - index), to: &counts) }
            append(Int64(step.count), to: &counts)
            next = index + 1
        }
        let payload =
            bytes(UInt32(0x1C84_9313)) + bytes(UInt32(counts.count)) + bytes(UInt32(0)) + bytes(UInt32(3))
            + bytes(UInt64(1)) + bytes(histogram.highestTrackableValue) + bytes(Double(1).bitPattern) + counts
        let compressed = zlib(payload)
        return Data(bytes(UInt32(0x1C84_9314)) + bytes(UInt32(compressed.count)) + compressed).base64EncodedString()
    }

    private static func index(of value: UInt64) -> Int {
        let mask = UInt64(1 << (halfCountMagnitude + 1)) - 1
        let bucket = 64 - (halfCountMagnitude + 1) - (value | mask).leadingZeroBitCount
        return bucket << halfCountMagnitude + Int(value >> UInt64(bucket))
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

    /// The deflated data of gzip, in the wrapper of RFC 1950.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        guard let gzip = Gzip.compress(bytes) else { return [] }
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x9C] + gzip[10..<gzip.count - 8] + Self.bytes(high << 16 | low)
    }
}
