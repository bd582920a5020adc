import Testing
import TextCoding

struct SpreadsheetTextTests {
    @Test(arguments: ["=1+1", "+33 1", "-", "@SUM(A1)", "\tx", "\rx", "'=x", "''=x"])
    func guardsWhatASpreadsheetWouldRun(value: String) {
        #expect(SpreadsheetText.guarded(value) == "'" + value)
        #expect(SpreadsheetText.unguarded(SpreadsheetText.guarded(value)) == value)
    }

    @Test(arguments: ["", "Canal+", "'s Heeren", "'", "12.34", "a=b", "é"])
    func leavesOtherTextAlone(value: String) {
        #expect(SpreadsheetText.guarded(value) == value)
        #expect(SpreadsheetText.unguarded(value) == value)
    }
}
