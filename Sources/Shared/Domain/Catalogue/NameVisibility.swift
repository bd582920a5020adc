/// What of a name can be seen. Names that look empty, or like another name, waste a moderator's time or mislead people.
enum NameVisibility {
    /// No language puts more marks on one letter in ordinary spelling: pointed Hebrew and stacked Vietnamese need three.
    static let maximumMarksInARow = 4

    /// Letters and symbols by their category that are drawn as nothing: Braille without a dot, Hangul fillers, blank
    /// hieroglyphs, a note without a head, a place for an object.
    private static let blanks: Set<UInt32> = [
        0x2800, 0x3164, 0xFFA0, 0x115F, 0x1160, 0x13441, 0x13442, 0x1D159, 0xFFFC,
    ]

    /// A character that is not drawn and does not belong where it stands; nil when there is none.
    ///
    /// Joiners are left where they change how the letters of Indic and Arabic scripts, or emoji, are drawn, and variation
    /// selectors after emoji.
    static func invisibleCharacter(in name: String) -> Unicode.Scalar? {
        let scalars = Array(name.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            switch scalar.value {
            case let value where blanks.contains(value): return scalar
            case 0x200C, 0x200D:
                guard index > 0, index + 1 < scalars.count, joins(scalars[index - 1]), joins(scalars[index + 1]) else {
                    return scalar
                }
            case 0xFE0E, 0xFE0F:
                guard index > 0, scalars[index - 1].properties.isEmoji else { return scalar }
            default:
                // Interlinear annotations are not drawn, and yet not among the characters to be ignored.
                if scalar.properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(scalar.value) {
                    return scalar
                }
            }
        }
        return nil
    }

    /// Whether anything is drawn by itself: a letter, a digit, a symbol or punctuation.
    static func hasVisibleCharacter(_ name: String) -> Bool {
        name.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control,
                .format, .unassigned, .privateUse, .surrogate:
                false
            default:
                !scalar.properties.isDefaultIgnorableCodePoint && !blanks.contains(scalar.value)
            }
        }
    }

    static func hasTooManyMarks(_ name: String) -> Bool {
        var marks = 0
        for scalar in name.unicodeScalars {
            let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            marks = isMark ? marks + 1 : 0
            if marks > maximumMarksInARow { return true }
        }
        return false
    }

    /// Whether a joiner beside it can change what is drawn.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard NameScript(scalar) == nil, scalar.value >= 0x0600 else { return false }
        if scalar.properties.isEmoji || (0xFE0E...0xFE0F).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .otherLetter, .nonspacingMark, .spacingMark, .modifierLetter: return true
        default: return false
        }
    }
}
