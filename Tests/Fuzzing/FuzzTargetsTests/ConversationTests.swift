import HTTPWire
import Testing

@testable import FuzzTargets

@Suite struct ConversationTests {
    private static func whole(_ text: String) throws -> Conversation {
        try Conversation(Array(text.utf8), limits: HTTPLimits()) { text.utf8.count }
    }

    private static let upload = "POST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n"

    @Test func tellsWhatWasSent() throws {
        let conversation = try Self.whole(Self.upload + "xyz")
        #expect(conversation.moments.count == 3)
        #expect(conversation.moments[1] == .body(Array("xyz".utf8)))
        #expect(conversation.moments[2] == .end)
        #expect(conversation.refusal == nil)
    }

    /// Differences that the comparison must detect.
    @Test(arguments: [
        upload + "xyZ", upload + "xy", upload.replacing("/a", with: "/c") + "xyz",
        upload.replacing("Host: h\r\n", with: "") + "xyz", upload + "xyzG", upload + "xyz\u{1}",
    ])
    func seesADifference(_ other: String) throws {
        let first = try Self.whole(Self.upload + "xyz")
        let second = try Self.whole(other)
        // The only allowed difference: whether the G that begins the next request has arrived.
        if other.hasSuffix("G") {
            try RequestFuzz.agree(first, second)
        } else {
            #expect(throws: BrokenPromise.self) { try RequestFuzz.agree(first, second) }
        }
    }
}
