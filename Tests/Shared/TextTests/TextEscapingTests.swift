import Testing
import TextCoding

@Suite struct TextEscapingTests {
    @Test(arguments: [
        ("", ""), ("plain é🍕", "plain é🍕"), ("a<b & \"c\"", "a&lt;b &amp; 'c'"),
        // Other characters with a mark after them, but the same scalars.
        ("<\u{338}\"\u{301}", "&lt;\u{338}'\u{301}"), ("\r\n<", "\r\n&lt;"),
    ])
    func replacesScalars(_ text: String, _ expected: String) {
        let escaped = text.escaping(["<": "&lt;", "&": "&amp;", "\"": "'"])
        #expect(escaped.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
