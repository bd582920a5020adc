import BackendTestKit
import Foundation
import JSONWire
import Mail
import SubGuardDomain
import Telemetry
import Testing

struct AlertMessageTests {
    private let fixture: BackendFixture
    private let delivery: AlertDelivery

    init() throws {
        fixture = try BackendFixture(now: "2026-02-28T23:59:58.007Z")
        let alerts = fixture.alerts(.webhook)
        try fixture.addUsers(1...1234)
        try alerts.replaceThresholds(with: [1000], ifRevision: nil, by: .editor)
        delivery = try #require(try alerts.overview(after: nil, limit: 1).deliveries.first)
    }

    /// `Scripts/check alerts` verifies with Python's own implementation that the signature is HMAC-SHA256.
    @Test func signsTimeAndBodyTogether() throws {
        let message = WebhookMessage(delivery, secret: "Grüße", sentAt: fixture.now)
        let body = try #require(try JSONValue.parse(message.body).objectValue)
        #expect(body["type"]?.stringValue == "threshold.reached")
        #expect(body["threshold"]?.integerValue == 1000)
        #expect(body["user_count"]?.integerValue == 1234)
        #expect(body["fired_at"]?.stringValue == "2026-02-28T23:59:58.007Z")
        let fields = Dictionary(uniqueKeysWithValues: message.fields.map { ($0.name, $0.value) })
        #expect(fields["X-SubGuard-Timestamp"] == "1772323198")
        #expect(fields["X-SubGuard-Delivery"] == body["id"]?.stringValue)
        let signature = try #require(fields["X-SubGuard-Signature"])
        #expect(signature.wholeMatch(of: /sha256=[0-9a-f]{64}/) != nil)
        let other = WebhookMessage(delivery, secret: "Grusse", sentAt: fixture.now)
        let later = WebhookMessage(delivery, secret: "Grüße", sentAt: fixture.now.adding(seconds: 1))
        for different in [other, later] {
            #expect(different.body == message.body)
            #expect(!different.fields.contains { $0.value == signature })
        }
    }

    @Test func writesForSlackWithATextForNotifications() throws {
        let message = try #require(try JSONValue.parse(SlackMessage.body(of: delivery)).objectValue)
        #expect(message["text"]?.stringValue?.contains("1,000 users and had 1,234") == true)
        let types = message["blocks"]?.arrayValue?.compactMap { $0.objectValue?["type"]?.stringValue }
        #expect(types == ["header", "section"])
    }

    @Test func writesMailInPlainASCII() throws {
        let from = try #require(EmailMailbox("Zoë & Jürgen’s long name for a server of theirs 🦊 <a.b+c@example.org>"))
        let to = try [#require(EmailMailbox("ops@example.net")), #require(EmailMailbox("Ops Team <o@example.net>"))]
        let bytes = AlertEmail.bytes(of: delivery, from: from, to: to, sentAt: fixture.now)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(bytes.allSatisfy { $0 < 0x80 })
        #expect(text.contains("Date: Sat, 28 Feb 2026 23:59:58 +0000\r\n"))
        #expect(text.contains("Message-ID: <\(delivery.id.lowercased)@example.org>\r\n"))
        #expect(text.contains("To: ops@example.net,\r\n Ops Team <o@example.net>\r\n"))
        #expect(text.contains("Subject: SubGuard: 1,000 users reached\r\n"))
        #expect(text.contains("From: =?utf-8?B?"))
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\n" || $0 == "\r" })
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.filter { $0.contains("=?utf-8?B?") }.allSatisfy { $0.utf8.count <= 76 })
    }

    @Test(arguments: [
        "", "a", "a@", "@b", "a@b@c", "a b@c.d", "a@b\r\nBcc: x@y.z", "N <a@b> <c@d>x", "é@example.org", "a..b@c.d",
        "a@[127.0.0.1]", "\"a b\"@c.d", "<a@b", "a@b>c",
    ])
    func refusesWhatIsNoAddress(_ text: String) {
        #expect(EmailMailbox(text) == nil)
    }

    @Test func takesAddressesWithAndWithoutAName() {
        #expect(EmailMailbox(" a@b.c ")?.name == nil)
        #expect(EmailMailbox("<a@b.c>")?.address == "a@b.c")
        #expect(EmailMailbox("Zoë <a@b.c>")?.name == "Zoë")
    }

    /// Programs decode encoded words wherever they are; RFC 2047 limits lines with one to 76 characters.
    @Test(arguments: [
        "=?utf-8?q?evil?= <x@y>", "a =?utf-8?B?ZXZpbA==?= b", "=?", String(repeating: "é=?🦊 ", count: 40),
        String(repeating: "a", count: 2000),
    ])
    func encodesASubjectThatOthersWouldDecode(_ subject: String) throws {
        let name = "\(subject) <\(String(repeating: "a", count: 60))@\(String(repeating: "b.", count: 60))org>"
        let from = try #require(EmailMailbox(name))
        let message = EmailMessage(from: from, to: [from, from], subject: subject, text: "text", id: "1", sentAt: 0)
        let lines = String(decoding: message.bytes, as: UTF8.self).components(separatedBy: "\r\n")
        for line in lines {
            #expect(line.utf8.count <= (line.contains("=?") ? 76 : 998))
            #expect(!line.replacing(#/=\?utf-8\?B\?[A-Za-z0-9+/=]*\?=/#, with: "").contains("=?"))
        }
        let start = try #require(lines.firstIndex { $0.hasPrefix("Subject: ") })
        let words = lines[start...].prefix { $0.hasPrefix("Subject: ") || $0.hasPrefix(" ") }.map {
            String($0.trimmingPrefix("Subject:").dropFirst())
        }
        let decoded = words.compactMap { Data(base64Encoded: String($0.dropFirst(10).dropLast(2))) }
        #expect(words.count == decoded.count && String(decoding: decoded.joined(), as: UTF8.self) == subject)
        #expect(lines.contains("text"))
    }

    @Test func aSubjectWithALineEndAddsNoField() throws {
        let from = try #require(EmailMailbox("alerts@example.org"))
        let message = EmailMessage(
            from: from, to: [from], subject: "12.34\nBcc: mallory@example.net", text: "text", id: "1", sentAt: 0)
        let text = String(decoding: message.bytes, as: UTF8.self)
        #expect(!text.contains("Bcc") && text.contains("\r\nSubject: =?utf-8?B?"))
    }
}
