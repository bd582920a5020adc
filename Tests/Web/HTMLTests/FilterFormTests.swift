import Foundation
import HTML
import Testing

/// Filters of a list, behind one button on a narrow screen.
@Suite struct FilterFormTests {
    private func text(_ fields: [FilterField?], search: ((inout HTMLWriter) -> Void)? = nil) -> String {
        var html = HTMLWriter(capacity: 1000)
        FilterForm(
            HTMLLink("list"), title: "Filters <&>", submit: "Show", hidden: [("status", "a \"b\"")]
        ).write(fields, to: &html, search: search) { html in html.add(.a, .href(HTMLLink("list")), text: "Clear") }
        return String(decoding: html.bytes, as: UTF8.self)
    }

    private func choice(_ chosen: String?, isFilter: Bool = true) -> FilterField {
        .choice("by", "By “x”", [("", "All"), ("a<", "A & B"), ("c", "C")], chosen: chosen, isFilter: isFilter)
    }

    @Test func countsWhatLeavesSomethingOut() {
        let tally = "<span class=\"tally\">"
        #expect(text([choice("a<"), choice("c"), choice(nil), choice("")]).contains(tally + "2</span>"))
        // An order, a first choice and what is not there leave nothing out.
        for fields in [[choice(nil)], [choice("")], [choice("c", isFilter: false)], [nil, choice(nil)]] {
            #expect(!text(fields).contains(tally))
        }
    }

    @Test func keepsTheSearchOutsideAndOpensAtAFault() throws {
        let whole = text([choice("a<")]) { html in html.add(.b, text: "search") }
        let (search, details) = (try #require(whole.range(of: "<b>")), try #require(whole.range(of: "<details>")))
        #expect(search.lowerBound < details.lowerBound)
        #expect(whole.contains("<option value=\"a&lt;\" selected>A &amp; B</option>"))
        #expect(whole.contains("<summary class=\"button\">Filters &lt;&amp;&gt;"))
        #expect(whole.contains("name=\"status\" value=\"a &quot;b&quot;\""))
        #expect(whole.hasSuffix("<button type=\"submit\">Show</button><a href=\"/list\">Clear</a></form>"))
        let faulty = FilterField(isActive: true, hasFault: true) { html in html.add(.b, text: "typed") }
        #expect(text([choice(nil), faulty]).contains("<details open>"))
        #expect(!text([], search: { html in html.add(.b, text: "search") }).contains("<details"))
    }
}
