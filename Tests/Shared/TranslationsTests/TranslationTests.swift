import SubGuardDomain
import Testing
import Translations

@Suite struct TranslationTests {
    private let file = #"""
        # A made-up language.
        msgid ""
        msgstr ""
        "Language: xx\n"

        msgid "%1 item of \"%2\""
        msgid_plural "%1 items of \"%2\""
        msgstr[0] "«%2»: %1 ding"
        msgstr[1] "«%2»: "
        "%1 dingen\n🎉"

        msgid "Open"
        msgstr "Auf"

        msgctxt "console"
        msgid "Open"
        msgstr "Offen"

        msgid "not yet translated"
        msgstr ""

        msgctxt "device finished"
        msgid "%1: %2"
        msgstr "%2 (%1)"

        msgctxt "device finished"
        msgid "cannot read %1: %2"
        msgstr "%2, daher nicht lesbar: %1"
        """#

    private func translation(_ context: String) -> Translation {
        Translation(portableObject: file, context: context, isSingular: { $0 < 3 })
    }

    @Test func eachProgramHasItsOwnTexts() {
        #expect(translation("device")["Open"] == "Auf" && translation("console")["Open"] == "Offen")
        #expect(translation("device")["not yet translated"] == nil && translation("device")["odd"] == nil)
    }

    @Test(arguments: [(2, "«%2»: %1 ding"), (3, "«%2»: %1 dingen\n🎉")])
    func aNumberDecides(_ number: Int, _ pattern: String) {
        let name = "50% | %1"
        let sentence: Sentence = "\(number) item of \"\(name)\"|\(number) items of \"\(name)\""
        #expect(translation("device").pattern(of: sentence) == pattern)
        #expect(sentence.text == "\(number) items of \"50% | %1\"")
    }

    /// More values than one digit can number.
    @Test func thePluralNamesTheValuesOfTheSingular() {
        let (a, b, c, d) = ("a", "b", "c", "d")
        let sentence: Sentence = "\(5) x \(a) \(b) \(c) \(d) \(a)|\(5) xs \(a) \(b) \(c) \(d) \(a)"
        #expect(sentence.pattern == "%1 x %2 %3 %4 %5 %6|%1 xs %2 %3 %4 %5 %6" && sentence.values.count == 6)
        #expect(sentence.text == "5 xs a b c d a")
    }

    @Test func finishedTextsAreRecognised() {
        let device = translation("device")
        let found = device.sentence(saying: "cannot read /tmp/a: b: in use")
        // The longest pattern first, and values up to the first place where the next piece begins.
        #expect(found?.pattern == "cannot read %1: %2" && found?.values == [.text("/tmp/a"), .text("b: in use")])
        #expect(device.sentence(saying: "a: b")?.pattern == "%1: %2" && device.sentence(saying: ": b") == nil)
        // Other texts are said, not met.
        #expect(device.sentence(saying: "Open") == nil && device.sentence(saying: "odd") == nil)
        #expect(translation("console").sentence(saying: "a: b") == nil)
    }
}
