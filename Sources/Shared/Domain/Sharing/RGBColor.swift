import Foundation

/// A colour of the sRGB space.
public struct RGBColor: Sendable, Hashable {
    /// Red, green and blue, 8 bits each.
    public let rgb: UInt32

    public init(rgb: UInt32) { self.rgb = rgb & 0xFF_FFFF }

    /// Reads `#rrggbb`, in upper or lower case; nil for anything else.
    public init?(wire: String) {
        let digits = wire.utf8.dropFirst()
        guard wire.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let rgb = UInt32(wire.dropFirst(), radix: 16)
        else { return nil }
        self.init(rgb: rgb)
    }

    /// Whether black text is easier to read on it than white text, by the contrast of WCAG 2.
    public var isLight: Bool {
        let channels = [rgb >> 16, rgb >> 8, rgb].map { Self.linear(Double($0 & 0xFF) / 255) }
        let luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        return (luminance + 0.05) * (luminance + 0.05) > 1.05 * 0.05
    }

    private static func linear(_ channel: Double) -> Double {
        channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
}
