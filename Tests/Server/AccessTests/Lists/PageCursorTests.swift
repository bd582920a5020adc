import Foundation
import ServerAccess
import Testing

struct PageCursorTests {
    private let id = UUID()

    @Test func isReadBackByItsOwnListAlone() throws {
        let list = PageCursor.List("crashes", ids: 1, "open", nil)
        let cursor = PageCursor(number: -7, text: "é:\u{1F}", ids: [id])
        let text = cursor.encoded(for: list)
        #expect(PageCursor(text, of: list) == cursor)
        #expect(
            text.utf8.allSatisfy { UInt8(ascii: "-") == $0 || UInt8(ascii: "_") == $0 || (0x30...0x7A).contains($0) })
        let others = [
            PageCursor.List("suggestions", ids: 1, "open", nil), PageCursor.List("crashes", ids: 1, "open", ""),
            PageCursor.List("crashes", ids: 1, nil, "open"), PageCursor.List("crashes", ids: 1, "open"),
        ]
        for other in others { #expect(PageCursor(text, of: other) == nil) }
    }

    @Test func refusesWhatWasNotGivenOut() {
        let list = PageCursor.List("audit", ids: 2)
        let text = PageCursor(number: 1, ids: [id, id]).encoded(for: list)
        for wrong in [
            "", "AA", "bmFtZQ", "not base64!", text + "=", String(text.dropLast(8)), text + "_w",
            text + String(repeating: "QUFB", count: 300),
        ] { #expect(PageCursor(wrong, of: list) == nil, "\(wrong)") }
    }
}
