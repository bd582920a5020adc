import Foundation
import FoundationXML
import Histogram
import JSONWire
import Simulator
import Testing

@Suite struct LoadReportTests {
    private func result(_ change: (inout LoadTally) -> Void = { _ in }) throws -> LoadResult {
        var plan = LoadPlan(target: try LoadTarget("http://127.0.0.1:8080"), seed: 12)
        plan.duration = .seconds(2)
        var tally = LoadTally()
        for value in 1...2_000 {
            tally.fromDue.record(UInt64(value) * 17)
            tally.fromSent.record(UInt64(value) * 11)
        }
        tally.requests = 2_003
        tally.statuses = [202: 1_990, 503: 10]
        tally.faults = [.timeout: 3]
        tally.expected = EventCounts(accepted: 190_000, duplicates: 7_000, rejected: 2_000)
        tally.reported = tally.expected
        tally.measuredAnswers = 1_990
        tally.measuredEvents = 190_000
        tally.slices = Array(repeating: LoadTally.Slice(), count: 8)
        for index in 0..<8 { tally.slices[index].acceptedEvents = 23_750 + index }
        change(&tally)
        return LoadResult(plan: plan, tally: tally, measuredSeconds: 2, processorCores: 0.25)
    }

    /// Reads the page as XML, which fails on any tag or entity that is not well-formed.
    private func read(_ page: String) throws -> XMLReading {
        let reading = XMLReading()
        let parser = XMLParser(data: Data(page.utf8))
        parser.delegate = reading
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "") at line \(parser.lineNumber)")
        return reading
    }

    @Test func thePageIsWellFormedAndDrawsBothPlots() throws {
        let reading = try read(HTMLReport.page(try result(), writtenAt: "2024-02-29T23:59:59Z"))
        #expect(reading.count["svg"] == 2)
        #expect(reading.count["polyline"] == 4)
        #expect(reading.text.contains("2024-02-29T23:59:59Z"))
        #expect(reading.text.contains("190,000"))
        // 200 percentiles, and eight constant slices.
        #expect(reading.points.map { $0.split(separator: " ").count } == [201, 201, 16, 16])
        let numbers = reading.points.joined(separator: " ").split { " ,".contains($0) }.map { Double($0) }
        #expect(numbers.allSatisfy { $0.map { (0...720).contains($0) } ?? false })
    }

    @Test func latenciesOfThePlotNeverFall() throws {
        let reading = try read(HTMLReport.page(try result(), writtenAt: ""))
        for line in reading.points.prefix(2) {
            let heights = line.split(separator: " ").compactMap { $0.split(separator: ",").last.flatMap { Double($0) } }
            #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 >= $1 })
            #expect((heights.first ?? 0) > (heights.last ?? 0) + 50)
        }
    }

    @Test func anEmptyRunIsAPageToo() throws {
        var plan = LoadPlan(target: try LoadTarget("http://127.0.0.1:8080"), seed: 1)
        plan.profile = .catalogue
        plan.pace = .closed
        let empty = LoadResult(plan: plan, tally: LoadTally(), measuredSeconds: 1, processorCores: 0)
        let reading = try read(HTMLReport.page(empty, writtenAt: ""))
        #expect(reading.text.contains("no request succeeded"))
        #expect(reading.text.contains("flatter"))
    }

    @Test func whatOthersWroteIsEscaped() throws {
        let hostile = #"</p><script src="x">&amp;'"#
        let page = HTMLReport.page(
            try result {
                $0.disagreements = 1
                $0.firstDisagreement = hostile
            }, ramp: [RampStep(rate: 10, p99Microseconds: 1_500, holds: false)], writtenAt: "<now> & \"then\"")
        #expect(!page.contains("<script"))
        let reading = try read(page)
        #expect(reading.text.contains(hostile))
        #expect(reading.text.contains("<now> & \"then\""))
        #expect(reading.text.contains("does not"))
    }

    @Test func thePageLoadsNothing() throws {
        let page = HTMLReport.page(try result(), writtenAt: "")
        for word in ["<script", "<link", "<img", "url(", "@import", "href", "src="] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("prefers-color-scheme:dark"))
    }

    @Test func jsonHoldsTheFigures() throws {
        let result = try result { $0.reported.accepted -= 1 }
        let bytes = JSONReport.bytes(result, ramp: [RampStep(rate: 40, p99Microseconds: 7, holds: true)])
        let json = try #require(try JSONValue.parse(bytes).objectValue)
        #expect(json["accepted_events_per_second"] == .number("95000.000"))
        #expect(json["from_due_us"]?.objectValue?["p999"]?.integerValue != nil)
        #expect(json["statuses"]?.objectValue?["503"]?.integerValue == 10)
        #expect(json["errors"]?.objectValue?["timeout"]?.integerValue == 3)
        let accepted = json["events"]?.objectValue?["accepted"]?.objectValue
        #expect(accepted?["expected"]?.integerValue == 190_000)
        #expect(accepted?["server"]?.integerValue == 189_999)
        #expect(json["ramp"]?.arrayValue?.count == 1)
        #expect(json["failure"]?.isNull == true)
    }

    @Test func theSummaryTellsWhetherTheCountsAgree() throws {
        #expect(LoadSummary.text(try result()).contains("the server's counts agree"))
        let text = LoadSummary.text(
            try result {
                $0.disagreements = 2
                $0.firstDisagreement = "a batch of 1"
            })
        #expect(text.contains("2 answers DISAGREE; the first: a batch of 1"))
        #expect(text.contains("202: 1,990, 503: 10"))
        #expect(text.contains("no answer in time: 3"))
    }

    @Test func aRunFailsByDisagreementOrWithoutAnySuccess() throws {
        #expect(try result().failure == nil)
        #expect(try result { $0.disagreements = 1 }.failure != nil)
        #expect(try result { $0.statuses = [503: 5] }.failure == "no request succeeded")
    }

    @Test func progressTellsTheRateSinceTheLastLook() throws {
        var before = LoadTally()
        before.reported.accepted = 180_000
        let line = ProgressLine.text(
            try result().tally, seconds: 1.25, previous: before, interval: 0.5, showsEvents: true)
        #expect(line.hasPrefix("1.2 s  20,000 events/s  p99 "))
        #expect(line.hasSuffix("2,000 answers  13 failed"))
    }
}

/// Counts elements and keeps text and points.
private final class XMLReading: NSObject, XMLParserDelegate {
    var count: [String: Int] = [:]
    var text = ""
    var points: [String] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        count[name, default: 0] += 1
        if name == "polyline" { points.append(attributes["points"] ?? "") }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
