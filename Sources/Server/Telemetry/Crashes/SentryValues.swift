package import Foundation
import JSONWire
import SubGuardDomain

/// Ids in the format of the Sentry protocol.
package enum SentryID {
    /// Reads 32 hexadecimal digits, or 36 characters with hyphens, in either case.
    package static func uuid(_ text: String) -> UUID? {
        guard text.utf8.count == 32 else { return UUID(strict: text) }
        var digits = Array(text.utf8)
        for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
        return UUID(strict: String(decoding: digits, as: UTF8.self))
    }

    /// Writes 32 lower-case hexadecimal digits.
    package static func text(_ id: UUID) -> String { id.lowercased.filter { $0 != "-" } }
}

/// Times in the format of the Sentry protocol: text as in ``SDKTime``, or seconds since the epoch with a fraction.
enum SentryTime {
    static func instant(_ value: JSONValue) -> UTCInstant? {
        switch value {
        case .string(let text): SDKTime.instant(text)
        case .number(let text): instant(seconds: text)
        default: nil
        }
    }

    private static func instant(seconds text: String) -> UTCInstant? {
        guard let seconds = Double(text), seconds > -62_135_596_800, seconds < 253_402_300_800 else { return nil }
        return UTCInstant(millisecondsSinceEpoch: Int64((seconds * 1000).rounded(.down)))
    }
}
