import Outbound
import Telemetry
import Testing

@testable import BackendHTTP

/// Responses of Slack, and of the receivers that take its messages: Mattermost, Rocket.Chat, Discord and others.
@Suite struct SlackSenderTests {
    private func outcome(_ status: Int, _ body: String) -> AlertOutcome {
        SlackSender.outcome(of: HTTPPost.Answer(status: status, body: Array(body.utf8), retryAfterSeconds: nil))
    }

    @Test(arguments: [
        (200, "ok"), (200, "ok\n"), (200, "OK"), (200, ""), (204, ""), (200, #"{"success":true}"#),
        (201, #"{"ok":true}"#),
        (200, #"{"id":"1","error":null}"#), (202, "<html>accepted</html>"), (200, "no problem"), (200, "message_sent"),
        (200, #"{"errors":[]}"#),
    ])
    func takesEvery2xxForDelivered(_ status: Int, _ body: String) {
        #expect(outcome(status, body) == .delivered)
    }

    @Test(arguments: [
        ("invalid_payload", "HTTP 200 invalid_payload"), ("no_text\n", "HTTP 200 no_text"),
        (#"{"ok":false,"error":"channel_not_found"}"#, "HTTP 200 channel_not_found"),
        (#"{"success":false,"error":"unknown_room"}"#, "HTTP 200 unknown_room"),
        (#"{"success":false,"error":"Zoé said: no"}"#, "HTTP 200 without success"),
        (#"{"ok":false}"#, "HTTP 200 without success"),
    ])
    func takesAnErrorInA2xxForAFailure(_ body: String, _ reason: String) {
        #expect(outcome(200, body) == .refused(reason: reason))
    }

    @Test func triesAgainWhatMayPass() {
        #expect(outcome(200, "message_limit_exceeded") == .failed(reason: "HTTP 200 message_limit_exceeded"))
        #expect(outcome(500, "rollup_error") == .failed(reason: "HTTP 500 rollup_error"))
        #expect(outcome(404, "no_team") == .channelGone(reason: "HTTP 404 no_team"))
        #expect(outcome(302, "") == .refused(reason: "HTTP 302"))
    }
}
