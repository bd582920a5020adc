import ArgumentParser
import Foundation
import SubGuardContract

/// Durations on the command line: `20ms`, `1.5s`, `2m`, `1h`, `500us`.
package enum DurationText {
    private static let microseconds: [String: Double] = [
        "us": 1, "ms": 1000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000,
    ]

    package static func parse(_ text: String) throws -> Duration {
        let unit = text.reversed().prefix { !$0.isNumber }.reversed()
        guard let number = Double(text.dropLast(unit.count)), number.isFinite, (0...1e9).contains(number),
            let microseconds = microseconds[String(unit)]
        else { throw ValidationError("'\(text)' is not a duration such as 20ms, 1.5s or 2m") }
        return .microseconds(Int64((number * microseconds).rounded()))
    }
}

extension Duration {
    /// Clamped to the range of the type, 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }

    package var inSeconds: Double { Double(nanoseconds) / 1e9 }
}

extension IngestSigningKey {
    /// Reads a file with `NAME:BASE64`, as in `ingest_signing_keys`.
    package init(file: String) throws {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ValidationError("it cannot be read")
        }
        guard let key = IngestSigningKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ValidationError("it must contain NAME:BASE64, a key of 16 to 64 bytes")
        }
        self = key
    }
}
