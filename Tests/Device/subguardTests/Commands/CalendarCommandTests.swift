import JSONWire
import TestKit
import Testing

@Suite struct CalendarCommandTests {
    @Test func theCalendarHasAnAddressOnceItIsTurnedOn() throws {
        let device = try Client()
        #expect(try device.json("calendar")["is_on"]?.boolValue == false)
        let on = try device.json("calendar", "--on", "--port", "4321")
        let url = try #require(on["url"]?.stringValue)
        #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:4321\/calendar\/[0-9a-f]{64}\.ics/) != nil)
        #expect(try device.json("calendar", "--on", "--port", "4321")["url"]?.stringValue == url)
        #expect(try device.run("calendar", "--renew").output.contains("http://127.0.0.1:8377/calendar/"))
        #expect(try device.json("calendar", "--port", "4321")["url"]?.stringValue != url)
        #expect(try device.run("calendar", "--on", "--off").status == 64)
        #expect(try device.json("calendar", "--off")["url"]?.isNull == true)
        let free = try Client(environment: ["SUBGUARD_PREMIUM": "false"])
        let refused = try free.run("calendar", "--on", "--json")
        #expect(refused.status == 1 && refused.output.contains("premium_required"))
    }
}
