import Testing
import TextCoding

struct SpreadsheetTextTests {
    @Test(arguments: ["=1+1", "+33 1", "-", "@SUM(A1)", "\tx", "\rx", "'=x", "''=x", "-;x"])
    func guardsWhatASpreadsheetWouldRun(value: String) {
        #expect(SpreadsheetText.guarded(value) == "'" + value)
        #expect(SpreadsheetText.unguarded(SpreadsheetText.guarded(value)) == value)
    }

    /// Excel in French or German separates cells there, also within a quoted field of a file with commas.
    @Test(arguments: [
        ("Abort;=1+41;x", "Abort;'=1+41;x"), ("a\t@x", "a\t'@x"), ("a\r\n-1", "a\r\n'-1"), ("a; \"=1", "a;' \"=1"),
        ("a;'=1", "a;''=1"), ("=1;=2", "'=1;'=2"), ("\t=1", "'\t'=1"), ("é;+\n+", "é;'+\n'+"),
    ])
    func guardsCellsWithinAValue(value: String, guarded: String) {
        #expect(SpreadsheetText.guarded(value) == guarded)
        #expect(SpreadsheetText.unguarded(guarded) == value)
    }

    @Test(arguments: ["", "Canal+", "a;b", "a; b;'c", "1;2", "a\nb", "'s Heeren", "'", "12.34", "a=b", "é"])
    func leavesOtherTextAlone(value: String) {
        #expect(SpreadsheetText.guarded(value) == value)
        #expect(SpreadsheetText.unguarded(value) == value)
    }
}
