/// Detects names that look empty or like another name.
enum NameVisibility {
    /// One more than any language needs: pointed Hebrew and Vietnamese use up to three marks per letter.
    static let maximumMarksInARow = 4

    /// Characters that are letters or symbols by category but have no visible glyph: blank Braille, Hangul fillers,
    /// blank hieroglyphs, the null notehead, the object replacement character.
    private static let blanks: Set<UInt32> = [
        0x2800, 0x3164, 0xFFA0, 0x115F, 0x1160, 0x13441, 0x13442, 0x1D159, 0xFFFC,
    ]

    /// The first invisible character that has no function at its position; nil when there is none.
    ///
    /// Joiners are allowed between letters of Indic and Arabic scripts and between emoji, variation selectors after
    /// emoji.
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
                // Interlinear annotations are invisible but not default-ignorable.
                if scalar.properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(scalar.value) {
                    return scalar
                }
            }
        }
        return nil
    }

    /// Whether the name has a visible character: a letter, digit, symbol or punctuation mark.
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

    /// Whether a joiner next to this character can change its appearance.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard NameScript(scalar) == nil, scalar.value >= 0x0600 else { return false }
        if scalar.properties.isEmoji || (0xFE0E...0xFE0F).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .otherLetter, .nonspacingMark, .spacingMark, .modifierLetter: return true
        default: return false
        }
    }
}
