package import Foundation
package import ServerAccess
package import SubGuardContract
import SubGuardDomain
package import Telemetry

/// Calls on alerts: thresholds, channels and deliveries.
extension APIOperation {
    package static let alerts = APIOperation(
        .get, "/api/v1/admin/alerts", "getAlerts", tag: .administration, access: .permission(.alertsRead),
        summary: "Show thresholds, channels and the delivery log",
        "`items` are the deliveries, newest first. Send the `ETag` as `If-Match` to change the thresholds.",
        query: .object(AlertPage.self),
        answers: [.json(AlertOverview.self, "Thresholds, channels and a page of deliveries.")])

    package static let alertThresholds = APIOperation(
        .get, "/api/v1/admin/alerts/thresholds", "getAlertThresholds", tag: .administration,
        access: .permission(.alertsRead), summary: "List the thresholds",
        "The current list, and thresholds that fired before they were removed from it.",
        answers: [.json(AlertThresholdList.self, "The thresholds.")])

    package static let replaceAlertThresholds = APIOperation(
        .put, "/api/v1/admin/alerts/thresholds", "replaceAlertThresholds", tag: .administration,
        access: .permission(.alertsWrite), summary: "Replace the thresholds",
        """
        Numbers of users, each announced once, ever. A threshold that is already reached and never fired fires at \
        once; one that has fired does not fire again, even when it is removed and added again. With `If-Match` the \
        list is replaced only at the revision that it names. The body has at most 64 KiB.
        """, body: .json(AlertThresholdChange.self, "The whole list."),
        answers: [.json(AlertThresholdList.self, "The thresholds as they are now.", headers: [.etag, .vary])],
        traits: .ifMatch)

    package static let testAlerts = APIOperation(
        .post, "/api/v1/admin/alerts/test", "testAlerts", tag: .administration, access: .permission(.alertsWrite),
        summary: "Send a test alert",
        """
        Sends it through one channel, or through every configured one. The messages are queued when the response is \
        sent; the delivery log shows their state. Disabled channels are tried too.
        """, body: .json(AlertTest.self, "The channel. Default: every configured channel.", required: false),
        answers: [.json(AlertDeliveries.self, "The messages are queued.", status: 202)], problems: [.conflict])

    package static let resendAlert = APIOperation(
        .post, "/api/v1/admin/alerts/deliveries/{id:uuid}/resend", "resendAlert", tag: .administration,
        access: .permission(.alertsWrite), summary: "Send a delivery once more",
        "Starts the attempts and pauses anew, under the same id, whatever the state of the delivery.",
        holes: [.id("The delivery's id.")], answers: [.json(AlertDeliveries.self, "It is queued.", status: 202)],
        problems: [.conflict])

    static let ofAlerts: [APIOperation] = [alerts, alertThresholds, replaceAlertThresholds, testAlerts, resendAlert]
}

/// The query of the delivery log.
package struct AlertPage: WireObject {
    package let limit: Int
    /// The last id of the previous page.
    package let cursor: UUID?

    package static let wire = WireSchema<AlertPage>(
        nil, make: AlertPage.init,
        Field("limit", \.limit, .pageLimit, "Deliveries on a page.", default: 50),
        Field("cursor", \.cursor, optional: .cursor(of: .alerts), "`next_cursor` of the page before. Opaque."))
}

/// The list that replaces all thresholds.
package struct AlertThresholdChange: WireObject {
    package let thresholds: [Int64]

    package static let wire = WireSchema<AlertThresholdChange>(
        "AlertThresholdChange", make: AlertThresholdChange.init,
        Field(
            "thresholds", \.thresholds,
            .set(
                of: .integer(AlertThresholdList.range), count: 0...AlertThresholdList.maximumCount,
                called: "numbers of users"), "Each number once.", example: [1000, 5000]))
}

/// The channel of a test message.
package struct AlertTest: WireObject {
    package let channel: AlertChannel?

    package static let wire = WireSchema<AlertTest>(
        "AlertTest", make: AlertTest.init,
        Field("channel", \.channel, optional: .alertChannel, orNull: true, example: .slack))
}

extension AlertThreshold: WireObject {
    package static let wire = WireSchema<AlertThreshold>("AlertThreshold") {
        Field("threshold", \.users, .integer(AlertThresholdList.range), "A number of users.", example: 1000)
        Field("active", \.isActive, .boolean, "Whether it is in the current list.")
        Field("fired_at", \.firedAt, nullable: .instant, "Null while it has not fired.")
        Field("user_count", \.userCount, nullable: .count, "How many users there were when it fired.", example: 1003)
        Field(
            "waiting_until", \.waitsUntil, nullable: .instant,
            "Until when its message waits for a first channel, if it fired while none was configured; else null.",
            example: nil)
    }
}

extension AlertThresholdList: WireObject {
    package static let wire = WireSchema<AlertThresholdList>("AlertThresholds") {
        Field("thresholds", \.thresholds, .array(of: .object))
    }
}

extension AlertChannelStatus: WireObject {
    package static let wire = WireSchema<AlertChannelStatus>("AlertChannel") {
        Field("channel", \.target.channel, .alertChannel)
        Field("target", \.target.label, .text(), "The receiver, without secrets.", example: "https://hooks.slack.com/…")
        Field("disabled_at", \.disabledAt, nullable: .instant, "Null while it is in use.", example: nil)
        Field("disabled_reason", \.disabledReason, nullable: .text(), example: nil)
    }
}

extension AlertDelivery: WireObject {
    package static let wire = WireSchema<AlertDelivery>("AlertDelivery") {
        Field("id", \.id, .id)
        Field("kind", \.subject.kind, .choice)
        Field(
            "threshold", \.threshold, nullable: .integer(1...Int64.max), "Null unless `kind` is `threshold`.",
            example: 1000)
        Field(
            "rule", \.rule?.name, nullable: .text(1...Int.max), "The rule's name then; null unless `kind` is `rule`.",
            example: nil)
        Field("channel", \.channel, .alertChannel)
        Field("target", \.target, .text(), "The receiver, without secrets.", example: "https://hooks.slack.com/…")
        Field(
            "status", \.state, .choice,
            "`pending`: not tried yet, or to be sent again. `retrying`: failed, next attempt at `next_attempt_at`. "
                + "`dead`: given up.", example: .retrying)
        Field("attempts", \.attempts, .count)
        Field("created_at", \.createdAt, .instant)
        Field("last_attempt_at", \.lastAttemptAt, nullable: .instant)
        Field("next_attempt_at", \.nextAttemptAt, nullable: .instant, "Null when no further attempt will be made.")
        Field("delivered_at", \.deliveredAt, nullable: .instant, example: nil)
        Field("last_error", \.lastError, nullable: .text(), "The last failure, without secrets.", example: "HTTP 503")
    }
}

/// The deliveries queued by a call.
package struct AlertDeliveries: WireObject {
    package let deliveries: [AlertDelivery]

    package init(deliveries: [AlertDelivery]) { self.deliveries = deliveries }

    package static let wire = WireSchema<AlertDeliveries>("AlertDeliveries") {
        Field("deliveries", \.deliveries, .array(of: .object))
    }
}

extension AlertOverview: WireObject {
    package static let wire = WireSchema<AlertOverview>("Alerts") {
        Field("thresholds", \.list.thresholds, .array(of: .object))
        Field("channels", \.channels, .array(of: .object), "The configured channels.")
        Field("items", \.deliveries, .array(of: .object, count: 0...500))
        Field(
            "next_cursor", \.next, nullable: .cursor(of: .alerts),
            "Send it back as `cursor` for the next page; null on the last one.", example: nil)
    }
}

extension PageCursor.List {
    package static let alerts = PageCursor.List("alerts", ids: 1)
}

extension WireType where Value == AlertChannel {
    fileprivate static var alertChannel: WireType { WireType.choice.named("AlertChannelName") }
}
