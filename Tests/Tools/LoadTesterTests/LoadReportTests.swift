import ArgumentParser
import Foundation
import FoundationXML
import Histogram
import JSONWire
import Testing

@testable import DeviceSimulation
@testable import LoadTester

@Suite struct LoadReportTests {
    private func result(_ change: (inout LoadTally) -> Void = { _ in }) throws -> LoadResult {
        let plan = try LoadPlan.parse(["--seed", "18446744073709551615", "--duration", "2s"])
        var tally = LoadTally()
        tally.change(.analytics) {
            for value in 1...1_990 { $0.record(Int64(value) * 17_000, status: 202) }
            for _ in 0..<10 { $0.record(40_000_000, status: 503) }
            $0.requests = 2_000
            $0.statuses = [202: 1_990, 503: 10]
        }
        tally.change(.search) {
            $0.requests = 3
            $0.faults = [.timeout: 3]
        }
        for value in 1...2_000 { tally.fromSent.record(UInt64(value) * 11) }
        tally.expected = EventCounts(accepted: 190_000, duplicates: 7_000, rejected: 2_000)
        tally.client.reported = tally.expected
        (tally[.measuredAnswers], tally[.measuredEvents]) = (1_990, 190_000)
        for index in 0..<8 {
            tally.change(slice: index) {
                $0.count(.success(202), nanoseconds: 9_000_000, acceptedEvents: 23_750 + index)
            }
        }
        change(&tally)
        return LoadResult(plan: plan, tally: tally, measuredSeconds: 2, processorCores: 0.25)
    }

    private func document(_ change: (inout LoadTally) -> Void = { _ in }) throws -> JSONObject {
        ReportDocument.of(try result(change), writtenAt: "2024-02-29T23:59:59Z")
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
        // From the bytes that --json writes.
        let report = try #require(try JSONValue.parse(JSONValue.object(document()).serialized()).objectValue)
        let reading = try read(HTMLReport.page(report))
        #expect(reading.count["svg"] == 2)
        #expect(reading.text.contains("2024-02-29T23:59:59Z"))
        #expect(reading.text.contains("190,000"))
        #expect(reading.text.contains("--refused: more than 0: 503: 10"))
        // Three lines each, of eight constant slices.
        #expect(reading.points.map { $0.split(separator: " ").count } == Array(repeating: 16, count: 6))
        let numbers = reading.points.joined(separator: " ").split { " ,".contains($0) }.map { Double($0) }
        #expect(numbers.allSatisfy { $0.map { (0...720).contains($0) } ?? false })
    }

    @Test func anEmptyRunIsAPageToo() throws {
        let plan = try LoadPlan.parse(["--profile", "catalogue", "--closed"])
        let empty = LoadResult(plan: plan, tally: LoadTally(), measuredSeconds: 1, processorCores: 0)
        let reading = try read(HTMLReport.page(ReportDocument.of(empty, writtenAt: "")))
        #expect(reading.text.contains("no request succeeded"))
        #expect(reading.text.contains("these latencies favour it"))
    }

    @Test func whatOthersWroteIsEscaped() throws {
        let hostile = #"</p><script src="x">&amp;'"#
        var result = try result { $0.client.note(hostile) }
        result.ramp = [RampStep(rate: 10, p99Microseconds: 1_500, failure: hostile)]
        let page = HTMLReport.page(ReportDocument.of(result, writtenAt: "<now> & \"then\""))
        #expect(!page.contains("<script"))
        let reading = try read(page)
        #expect(reading.text.contains(hostile))
        #expect(reading.text.contains("<now> & \"then\""))
        #expect(reading.text.contains("p99, ms"))
    }

    @Test func thePageLoadsNothing() throws {
        let page = HTMLReport.page(try document())
        for word in ["<script", "<link", "<img", "url(", "@import", "href", "src="] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("prefers-color-scheme:dark"))
    }

    @Test func theDocumentHoldsTheFigures() throws {
        var result = try result { $0.client.reported.accepted -= 1 }
        result.ramp = [
            RampStep(rate: 40, p99Microseconds: 7, failure: nil),
            RampStep(rate: 80, p99Microseconds: 9, failure: "late"),
        ]
        let json = ReportDocument.of(result, writtenAt: "")
        #expect(json["accepted_events_per_second"] == .number("95000.000"))
        let due = try #require(json["from_due_us"]?.objectValue)
        // The 99.9th percentile and the mean of all, whatever their class.
        #expect(due["p50"]?.integerValue.map { abs($0 - 17_000) < 20 } == true)
        #expect(due["p999"]?.integerValue.map { abs($0 - 40_000) < 40 } == true)
        #expect(due["mean"] != nil)
        #expect(due["histogram"]?.stringValue?.hasPrefix("HISTFAAA") == true)
        #expect(json["statuses"]?.objectValue?["503"]?.integerValue == 10)
        #expect(json["errors"]?.objectValue?["timeout"]?.integerValue == 3)
        let classes = try #require(
            json["routes"]?.objectValue?["analytics"]?.objectValue?["classes"]?.objectValue)
        #expect(classes.members.map(\.name) == ["2xx", "5xx"])
        #expect(classes["5xx"]?.objectValue?["p50"]?.integerValue.map { abs($0 - 40_000) < 40 } == true)
        let accepted = json["events"]?.objectValue?["accepted"]?.objectValue
        #expect(accepted?["expected"]?.integerValue == 190_000)
        #expect(accepted?["server"]?.integerValue == 189_999)
        #expect(json["ramp"]?.arrayValue?.count == 2)
        #expect(json["knee"] == .number("40.000"))
        let slices = try #require(json["series"]?.objectValue?["slices"]?.arrayValue)
        #expect(slices.count == 8)
        #expect(slices[7].objectValue?["accepted_events"]?.integerValue == 23_757)
        #expect(slices[0].objectValue?["p99_us"]?.integerValue.map { abs($0 - 9_000) < 90 } == true)
        #expect(json["plan"]?.objectValue?["seed"]?.stringValue == "18446744073709551615")
        #expect(json["failure"]?.stringValue == "--errors: more than 0: no answer in time: 3")
    }

    @Test func theTextHasATableOfLatenciesByRouteAndClass() throws {
        let text = ReportTables.text(try document())
        let lines = text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("  latency, ms") && $0.hasSuffix("mean") })
        #expect(lines.contains { $0.hasPrefix("  analytics, 5xx") && $0.contains("40.0") })
        #expect(lines.contains { $0.hasPrefix("  from sent") && $0.contains("22.00") })
        #expect(text.contains("202: 1,990, 503: 10"))
        #expect(text.contains("timeout: 3"))
        #expect(text.hasSuffix("\n\n  FAILED\n"))
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test func percentilesOfFewRequestsAreNamed() throws {
        func notes(of count: Int) throws -> [String] {
            var tally = LoadTally()
            tally.change(.analytics) { for _ in 0..<count { $0.record(1_000_000, status: 202) } }
            let result = LoadResult(plan: try LoadPlan.parse([]), tally: tally)
            return ReportDocument.of(result, writtenAt: "").texts("notes")
        }
        #expect(try notes(of: 99) == ["fewer than 100 requests were measured: their p99 is the slowest of them"])
        #expect(try notes(of: 100) == ["fewer than 1000 requests were measured: their p99.9 is the slowest of them"])
        #expect(try notes(of: 1000) == [])
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
