import Telemetry

extension MetricsPage {
    /// Omitted without an event sink.
    func writeEventSink(_ page: inout PrometheusText) {
        guard let eventSink else { return }
        // Other metrics report an unreadable database.
        if let lag = try? eventSink.sink.lag() {
            page.single(
                "subguard_event_sink_lag_seconds", "gauge",
                "Time since the oldest event that is not in ClickHouse was received.", lag.seconds)
            page.single(
                "subguard_event_sink_waiting_blocks", "gauge", "Blocks of events that are not in ClickHouse.",
                lag.blocks)
        }
        let counts = eventSink.counts
        page.single(
            "subguard_event_sink_events_total", "counter", "Events sent to ClickHouse by this server.", counts.events)
        page.single(
            "subguard_event_sink_ranges_total", "counter", "Ranges of events sent by this server.", counts.ranges)
        page.single(
            "subguard_event_sink_failures_total", "counter", "Attempts that failed.", counts.failures)
    }
}
