extension String {
    /// The text between left-to-right marks if it has letters that are written from right to left, else the text
    /// itself. Two such names side by side would be shown in the opposite order: `A → B` as `B → A`.
    ///
    /// Marks and not isolates, which names may not bring into a terminal.
    package var directed: String {
        unicodeScalars.contains(where: \.isRightToLeft) ? "\u{200E}\(self)\u{200E}" : self
    }

    /// `from → to`, in this order whichever way the two are written.
    package static func arrow(_ from: String, _ to: String) -> String { "\(from.directed) → \(to.directed)" }
}

extension Unicode.Scalar {
    /// Whether it is in a block of letters that are written from right to left, such as Hebrew and Arabic.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
