import BackendTestKit
import JSONWire
import Mail
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct AlertRuleDefinitionTests {
    @Test(arguments: [
        ("0", 0), ("1", 1000), ("99.9", 99_900), ("0.125", 125), ("33.30", 33_300), ("7.0000", 7000),
        ("1000000000", 1_000_000_000_000),
    ])
    func readsDecimals(_ text: String, _ thousandths: Int64) {
        #expect(AlertValue(text)?.thousandths == thousandths)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "-1", "+1", "1e3", "0.0001", "1.2.3", "1000000000.001", "99999999999999999999999", "٣",
    ])
    func refusesOtherNumbers(_ text: String) { #expect(AlertValue(text) == nil) }

    @Test func writesDecimalsWithoutLoss() {
        let values: [Int64] = [0, 5, 50, 500, 5000, 99_900, -1, -1500, 12_345]
        #expect(
            values.map { AlertValue(thousandths: $0).text }
                == ["0", "0.005", "0.05", "0.5", "5", "99.9", "-0.001", "-1.5", "12.345"])
    }

    @Test func readsWindows() {
        #expect(["1h", "24h", "720h", "1d", "7d", "30d"].map { AlertWindow($0)?.hours } == [1, 24, 720, 24, 168, 720])
        for text in ["", "h", "d", "0h", "01h", "721h", "31d", "7", "7w", "-1h", "1.5h", " 1h", "1h ", "٣d", "1000h"] {
            #expect(AlertWindow(text) == nil, "\(text)")
        }
    }

    private func faults(
        _ figure: AlertFigure, _ comparison: AlertComparison, _ value: String, _ window: String?, _ sample: Int64 = 0
    ) throws -> [String] {
        AlertRuleDraft(
            name: "x", figure: figure, comparison: comparison, value: try #require(AlertValue(value)),
            window: try window.map { try #require(AlertWindow($0)) }, minimumSample: sample
        ).faults.map { "\($0.field) \($0.code.rawValue)" }
    }

    @Test func namesWhatContradictsItself() throws {
        #expect(try faults(.crashFreeSessions, .below, "99.9", "24h", 1000) == [])
        #expect(try faults(.crashFreeSessions, .below, "100.001", nil) == ["value out_of_range", "window required"])
        #expect(try faults(.crashFreeSessions, .fallsBy, "5", "24h") == ["comparison unknown_value"])
        #expect(
            try faults(.storagePercent, .above, "90", "24h", 1) == [
                "window unknown_field", "minimum_sample out_of_range",
            ])
        #expect(try faults(.users, .fallsBy, "0", "16d") == ["value out_of_range", "window out_of_range"])
        #expect(try faults(.users, .risesBy, "500", "15d") == [])
        #expect(try faults(.activeUsers, .below, "10", "8d") == ["window out_of_range"])
        #expect(try faults(.activeUsers, .below, "10", "720h") == [])
        #expect(try faults(.activeUsers, .fallsBy, "33.3", "30d") == ["window out_of_range"])
        #expect(try faults(.events, .below, "1", "7h") == ["window out_of_range"])
        #expect(try faults(.events, .risesBy, "1000", "3h") == [])
        #expect(try faults(.failedDeliveries, .above, "0", "24h", 1) == ["minimum_sample out_of_range"])
    }

    @Test func recoversOnTheGoodSideOfTheValue() throws {
        func recovery(_ figure: AlertFigure, _ comparison: AlertComparison, _ value: String) throws -> String {
            AlertRuleDraft(
                name: "x", figure: figure, comparison: comparison, value: try #require(AlertValue(value)), window: nil
            ).recoveryValue.text
        }
        #expect(try recovery(.crashFreeSessions, .below, "99.9") == "99.91")
        #expect(try recovery(.crashFreeSessions, .below, "100") == "100")
        #expect(try recovery(.storagePercent, .above, "80") == "76")
        #expect(try recovery(.storagePercent, .below, "98") == "100")
        #expect(try recovery(.events, .below, "1") == "1")
        #expect(try recovery(.conversions, .above, "10") == "9")
        #expect(try recovery(.users, .below, "1000000000") == "1000000000")
        #expect(try recovery(.users, .below, "100") == "105")
        #expect(try recovery(.users, .above, "100") == "95")
        #expect(try recovery(.failedDeliveries, .above, "0") == "0")
        #expect(try recovery(.activeUsers, .fallsBy, "33.3") == "29.97")
    }

    @Test func writesMessages() throws {
        let fixture = try BackendFixture()
        let alerts = fixture.alerts(.webhook)
        _ = try alerts.insertRule(
            AlertRuleDraft(
                name: "Été <30 %> 🔥", figure: .storagePercent, comparison: .above,
                value: AlertValue(thousandths: 80_500), window: nil), by: .editor)
        try AlertRuleEvaluator(
            alerts: alerts, insights: InsightStore(context: fixture.context), storagePercent: { 91 }
        ).run()
        let delivery = try #require(try alerts.overview(after: nil, limit: 1).deliveries.first)
        let sentence = "storage in use is 91 %, measured at 2026-11-20T10:00:00Z (the rule fires above 80.5 %)."

        let webhook = try JSONValue.parse(WebhookMessage(delivery, secret: "s", sentAt: fixture.now).body)
        #expect(webhook["type"]?.stringValue == "rule.firing" && webhook["name"]?.stringValue == "Été <30 %> 🔥")
        #expect(webhook["value"] == .number("80.5") && webhook["measured"] == .number("91"))
        #expect(webhook["window"]?.isNull == true && webhook["sample"]?.isNull == true)
        #expect(webhook["text"]?.stringValue == "The alert rule \"Été <30 %> 🔥\" fires: " + sentence)

        let slack = try JSONValue.parse(SlackMessage.body(of: delivery))
        #expect(slack["text"]?.stringValue?.contains("Été &lt;30 %&gt;") == true)

        let from = try #require(EmailMailbox("a@example.org"))
        let mail = AlertEmail.bytes(of: delivery, from: from, to: [from], sentAt: fixture.now)
        #expect(mail.allSatisfy { $0 < 0x80 })
        let text = String(decoding: mail, as: UTF8.self)
        #expect(text.contains("Subject: =?utf-8?B?") && text.contains("Content-Transfer-Encoding: base64\r\n"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 100 })
    }
}
