import Testing

@testable import HTTPWire

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"),
        (1_677_628_800, "Wed, 01 Mar 2023 00:00:00 GMT"),
        (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (1_735_689_600, "Wed, 01 Jan 2025 00:00:00 GMT"),
        (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func writesKnownInstants(_ seconds: Int, _ text: String) {
        #expect(HTTPDate.text(secondsSinceEpoch: seconds) == text)
    }

    @Test func writesEachDayOnceAndInOrder() {
        // Counts days with an independent calendar through four centuries.
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        var day = 0
        for year in 1970..<2371 {
            let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            for month in 0..<12 {
                for date in 1...lengths[month] + (isLeap && month == 1 ? 1 : 0) {
                    let padded = date < 10 ? "0\(date)" : "\(date)"
                    let expected = "\(weekdays[day % 7]), \(padded) \(months[month]) \(year) 12:34:56 GMT"
                    let written = HTTPDate.text(secondsSinceEpoch: day * 86_400 + 45_296)
                    if written != expected { Issue.record("\(written) instead of \(expected)") }
                    day += 1
                }
            }
        }
    }
}
