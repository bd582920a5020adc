import Backend

extension MetricsPage {
    func writeAlerts(_ page: inout PrometheusText) {
        // Other metrics show a store that cannot be read; this gauge is omitted rather than wrong.
        if let depths = try? alerts.store.depths() {
            let name = "subguard_alert_outbox_deliveries"
            page.family(name, "gauge", "Alert deliveries in the outbox by state.")
            for state in AlertDelivery.State.allCases {
                page.sample(name, [("state", state.rawValue)], depths[state] ?? 0)
            }
        }
        let name = "subguard_alert_attempts_total"
        page.family(name, "counter", "Attempts to deliver an alert, by channel and by what they led to.")
        let counts = alerts.counts
        for channel in AlertChannel.allCases {
            for state in [AlertDelivery.State.delivered, .retrying, .dead] {
                page.sample(
                    name, [("channel", channel.rawValue), ("outcome", state.rawValue)], counts[channel]?[state] ?? 0)
            }
        }
    }
}
