import Foundation
import HTML
import Testing

/// Parts that pages share.
@Suite struct PagePartTests {
    private func text(_ write: (inout HTMLWriter) -> Void) -> String {
        var html = HTMLWriter()
        write(&html)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test func factsWithoutAValueAreLeftOut() {
        let page = text { html in
            html.facts(
                [Fact("Ré <a>", "1 & 2"), Fact("None", nil), Fact("Empty", ""), nil, Fact("Own") { $0.bdi("<b>") }],
                style: "facts")
        }
        #expect(
            page
                == "<dl class=\"facts\"><div><dt>Ré &lt;a&gt;</dt><dd>1 &amp; 2</dd></div>"
                + "<div><dt>Own</dt><dd><bdi>&lt;b&gt;</bdi></dd></div></dl>")
    }

    @Test func aFieldNamesItsHintAndItsFaults() {
        func field(_ faults: [String], _ hint: String?) -> String {
            text { html in
                html.field("f", "Label", optional: "(opt)", faults: faults, areAlerts: true, hint: hint) {
                    html, marks in
                    html.add(.input, .id("f"), marks.invalid, marks.described)
                }
            }
        }
        #expect(field([], nil).contains("<span class=\"optional\">(opt)</span></label><input id=\"f\"></div>"))
        let faulty = field(["First <", "Second"], "Hint")
        #expect(faulty.contains("<input id=\"f\" aria-invalid=\"true\" aria-describedby=\"f-hint f-fault\">"))
        #expect(faulty.contains("<p class=\"fault\" id=\"f-fault\" role=\"alert\">First &lt;</p>"))
        #expect(faulty.contains("<p class=\"fault\" role=\"alert\">Second</p><p class=\"hint\" id=\"f-hint\">Hint</p>"))
    }

    /// Anyone who confirms sends the hidden fields and the value of the button; the way back sends nothing.
    @Test func aConfirmationHasOneDangerousButtonAndAWayBack() {
        let page = text { html in
            html.confirmation(
                "Delete “x”?", HTMLLink("a", "b c"), [("key", "\"1\"")], button: "Delete", value: ("action", "delete"),
                cancel: ("Back", HTMLLink("a"))
            ) { $0.scope([("<i>", "2 ×")]) }
        }
        #expect(page.contains("<li><bdi>&lt;i&gt;</bdi><span class=\"muted\">2 ×</span></li>"))
        #expect(
            page.hasSuffix(
                "<form method=\"post\" action=\"/a/b%20c\"><input type=\"hidden\" name=\"key\" "
                    + "value=\"&quot;1&quot;\"><p class=\"actions\"><button type=\"submit\" class=\"danger\" "
                    + "name=\"action\" value=\"delete\">Delete</button>"
                    + "<a class=\"button\" href=\"/a\">Back</a></p></form></div>"))
    }

    /// Enter in a field must not decide: the first button of the form does nothing.
    @Test func theFirstButtonOfABulkFormDecidesNothing() throws {
        let page = text { html in
            BulkForm(HTMLLink("list"), [], legend: "With <these>", selected: ("%1 one", "%1 many"))
                .write(to: &html, list: { $0.add(.b, text: "rows") }) { $0.submit("Delete", .name("action")) }
        }
        let (idle, rows) = (try #require(page.range(of: "hidden>")), try #require(page.range(of: "<b>")))
        #expect(idle.upperBound < rows.lowerBound)
        #expect(page.contains("<legend>With &lt;these&gt;<output data-selected-one=\"%1 one\""))
    }

    @Test func noticesSayHowUrgentTheyAre() {
        #expect(text { $0.notice(.plain, role: NoticeRole.none, text: "a") } == "<p class=\"notice\">a</p>")
        #expect(text { $0.notice(.bad, text: "a") } == "<p class=\"notice bad\" role=\"alert\">a</p>")
        #expect(
            text { $0.notice(.good, hasFocus: true, text: "<") }
                == "<p class=\"notice good\" role=\"status\" tabindex=\"-1\" data-focus=\"\">&lt;</p>")
        let refusal = text { $0.refusal("No:", faults: [(("Name", "f-name"), "too long"), (nil, "other")]) }
        #expect(refusal.contains("<li><a href=\"#f-name\">Name</a>: <span>too long</span></li>"))
        #expect(refusal.contains("<li><span>other</span></li></ul></div>"))
    }

    @Test func onlyParametersWithAValueAreGiven() {
        let given: [NamedValue] = .given([("q", nil), ("sort", "a&b"), ("page", "")])
        #expect(given.ofList.map(\.name) == ["list_sort", "list_page"])
        #expect(HTMLLink("list", query: given).text == "/list?sort=a%26b&page=")
    }
}
