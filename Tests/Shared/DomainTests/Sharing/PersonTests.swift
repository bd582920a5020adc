import Foundation
import SubGuardDomain
import Testing

@Suite struct PersonTests {
    private func person(_ change: (inout Person) -> Void) -> Person {
        var person = Person(id: UUID(), name: "Zoé Élan Martin", createdAt: UTCInstant(secondsSinceEpoch: 0))
        change(&person)
        return person
    }

    private func fault(_ change: (inout Person) -> Void) -> String? {
        do throws(FaultList) {
            _ = try person(change).validated()
            return nil
        } catch {
            return error.first?.pointer
        }
    }

    @Test(arguments: ["🦊", "👩‍👩‍👧‍👦", "👍🏽", "🇫🇷", "1️⃣", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"])
    func oneEmojiIsTaken(_ emoji: String) throws {
        let valid = try person { $0.avatar = .emoji(" \(emoji) ") }.validated()
        #expect(valid.avatar == .emoji(emoji))
    }

    @Test(arguments: ["", " ", "a", "1", "#", "🦊🦊", "é", "😀x", "<b>", "\u{200D}", "\u{FE0F}"])
    func otherTextsAreNoEmoji(_ text: String) { #expect(fault { $0.avatar = .emoji(text) } == "emoji") }

    @Test func initialsAreChosenOrThoseOfTheName() throws {
        #expect(person { _ in }.initials == "ZÉ")
        #expect(try person { $0.avatar = .initials(" ZéM ") }.validated().initials == "ZéM")
        #expect(try person { $0.avatar = .initials("X2") }.validated().initials == "X2")
        for text in ["ABCD", "12", "?", "a\u{1}", "é" + String(repeating: "\u{301}", count: 20)] {
            #expect(fault { $0.avatar = .initials(text) } == "initials", "\(text)")
        }
    }

    @Test func coloursAreChecked() throws {
        #expect(try person { $0.color = "#9FE870" }.validated().color == "#9fe870")
        for text in ["9FE870", "#9FE87", "#9FE8700", "#9FE87G", "red", "#+9FE87", "#９FE870", "url(#x)"] {
            #expect(fault { $0.color = text } == "color", "\(text)")
        }
    }

    /// Black or white, whichever has more contrast: WCAG asks for 4.5, which one of them always has.
    @Test(arguments: [
        (0xFFFFFF, true), (0x000000, false), (0x9FE870, true), (0xFF0000, true), (0x0000FF, false), (0x767676, true),
        (0x757575, false), (0x33689E, false),
    ])
    func textOnAColourIsLegible(_ rgb: Int, _ isLight: Bool) {
        #expect(RGBColor(rgb: UInt32(rgb)).isLight == isLight)
    }

    @Test func withoutAColourItDependsOnTheIDOnly() {
        let one = person { _ in }
        var renamed = one
        renamed.name = "Other"
        #expect(one.background == renamed.background && !one.background.isLight)
        #expect(person { $0.color = "#9fe870" }.background.rgb == 0x9FE870)
    }
}
