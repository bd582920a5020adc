import BackendHTTP
import Testing

@Suite struct EventSinkURLTests {
    @Test func readsEveryPart() throws {
        let url = try #require(
            EventSinkURL("clickhouse://writer@ch1.example.org,ch2.example.org/events_1?cluster=main-2"))
        #expect(url.user == "writer" && url.hosts == ["ch1.example.org", "ch2.example.org"] && url.port == 8443)
        #expect(url.database == "events_1" && url.cluster == "main-2" && url.usesTLS)
        let local = try #require(EventSinkURL("clickhouse://[::1]:9000/db?tls=off"))
        #expect(local.user == "default" && local.hosts == ["::1"] && local.port == 9000)
        #expect(local.cluster == nil && !local.usesTLS)
        #expect(EventSinkURL("clickhouse://h/db?tls=off")?.port == 8123)
    }

    @Test(arguments: [
        "", "http://h/db", "clickhouse://", "clickhouse:///db", "clickhouse://h", "clickhouse://h/",
        "clickhouse://h/a b",
        "clickhouse://user:hunter2@h/db", "clickhouse://a@b@h/db", "clickhouse://h:1,g:2/db?cluster=c",
        "clickhouse://h,g/db", "clickhouse://h:0/db",
        "clickhouse://h,/db", "clickhouse://h/db/x", "clickhouse://h/db?tls=maybe", "clickhouse://h/db?secure=1",
        "clickhouse://h/db?cluster=", "clickhouse://h/db?cluster=a'b", "clickhouse://h/d'b",
        "clickhouse://h/db?tls=off&tls=on",
    ])
    func refusesOtherTexts(_ text: String) { #expect(EventSinkURL(text) == nil) }
}
