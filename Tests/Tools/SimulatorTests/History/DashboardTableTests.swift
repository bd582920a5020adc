import JSONWire
import Simulator
import Testing

struct DashboardTableTests {
    @Test func alignsTheFiguresAndLeavesTheNumbersAlone() throws {
        let json = """
            {"as_of":"2024-02-29T23:59:00Z","zone":"UTC",
            "total_users":{"value":12345,"this_week":7,"last_week":0,"trend_percent":null,"definition":"…"},
            "crash_free_sessions":{"value":99.9,"this_week":null,"last_week":-3,"trend_percent":-12.5},
            "premium_conversions":{"value":1,"this_week":1,"last_week":1,"trend_percent":0.0}}
            """
        let dashboard = try #require(try JSONValue.parse(Array(json.utf8)).objectValue)
        #expect(
            DashboardTable(dashboard).text == """
                figure               value  this week  last week    trend
                ---------------------------------------------------------
                total users          12345          7          0        -
                crash free sessions   99.9          -         -3  -12.5 %
                premium conversions      1          1          1   +0.0 %

                """)
    }
}
