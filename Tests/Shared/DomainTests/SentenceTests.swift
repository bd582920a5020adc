import SubGuardDomain
import Testing

@Suite struct SentenceTests {
    private struct Holder { let detail: Sentence }
    private enum Failure: Error { case refused(Sentence) }

    /// A log prints errors with everything in them.
    @Test func isWrittenAsPeopleReadItWhereverItIsPrinted() {
        let sentence: Sentence = "A batch holds at most \(5) \("événements")."
        let text = "A batch holds at most 5 événements."
        #expect("\(sentence)" == text && String(reflecting: sentence) == text && String(describing: sentence) == text)
        for printed in [
            "\(Failure.refused(sentence))", "\(Holder(detail: sentence))", "\([sentence])", "\(sentence as Any)",
        ] {
            #expect(printed.contains(text) && !printed.contains("pattern") && !printed.contains("%1"))
        }
        let outer: Sentence = "Not read: \(sentence)"
        #expect(outer.text == "Not read: " + text)
    }
}
