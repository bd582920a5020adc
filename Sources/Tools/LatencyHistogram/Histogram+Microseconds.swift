package import Histogram

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
