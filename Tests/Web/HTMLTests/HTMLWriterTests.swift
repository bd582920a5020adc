import HTML
import Testing

@Suite struct HTMLWriterTests {
    private func text(_ write: (inout HTMLWriter) -> Void) -> String {
        var html = HTMLWriter()
        write(&html)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test func escapesTextsAndValuesAlike() {
        let hostile = "<script>\"&'\u{0}\r\n\u{1}é"
        let escaped = "&lt;script&gt;&quot;&amp;&#39;\u{FFFD}&#13;\n\u{FFFD}é"
        #expect(text { $0.add(.p, text: hostile) } == "<p>\(escaped)</p>")
        #expect(text { $0.add(.a, .title(hostile)) { _ in } } == "<a title=\"\(escaped)\"></a>")
        #expect(text { $0.add(svg: .title, text: hostile) } == "<title>\(escaped)</title>")
    }

    @Test func closesWhatItOpens() {
        let page = text { html in
            html.doctype()
            html.add(.ul, .class("a b"), nil) { html in
                html.add(.li, .hidden) { $0.add(.br) }
                html.add(.li, text: "2")
            }
            html.add(.input, .name("n"), .required, .data("key", "v"), .aria("label", "L"))
        }
        #expect(
            page == """
                <!doctype html>
                <ul class="a b"><li hidden><br></li><li>2</li></ul><input name="n" required data-key="v" aria-label="L">
                """)
    }

    /// Parsers drop one line feed after these start tags.
    @Test(arguments: [HTMLElement.textarea, .pre])
    func keepsTheFirstLineFeed(_ element: HTMLElement) {
        let name = element.rawValue
        #expect(text { $0.add(element, text: "\nx") } == "<\(name)>\n\nx</\(name)>")
    }

    @Test func writesScriptsAndIconsByAddressOnly() {
        let link = HTMLLink("a.js")
        #expect(
            text { $0.script(link, integrity: "sha256-x") }
                == #"<script src="/a.js" integrity="sha256-x" defer></script>"#)
        #expect(
            text { $0.icon(HTMLLink("i.svg"), "menu", .class("icon")) }
                == ##"<svg class="icon" aria-hidden="true"><use href="/i.svg#menu"></use></svg>"##)
    }

    // MARK: Links

    @Test func encodesEverySegment() {
        #expect(
            HTMLLink("console", "a/b?c#d", query: [("q", "é &=")]).text == "/console/a%2Fb%3Fc%23d?q=%C3%A9%20%26%3D")
        #expect(HTMLLink().text == "/")
        #expect(HTMLLink("", "..", ".", "x").text == "/x")
        #expect(HTMLLink("a", fragment: "b c").text == "/a#b%20c")
        #expect(HTMLLink.fragment("main").text == "#main")
    }

    @Test(arguments: ["/", "/a?b=c#d", "https://example.com", "HTTPS://h/x?y", "mailto:a@b.example"])
    func acceptsSafeTargets(_ target: String) { #expect(HTMLLink(checking: target)?.text == target) }

    @Test(arguments: [
        "", "javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "http://h", "//h",
        "/\\h",
        "\\\\h", "https:", "https://", "https:///x", "https:h", "mailto:", "x", "a/b", "?q", "#f", "/a b", "/a\nb",
        "/é",
        "vbscript:x", "java\tscript:x", "ftp://h",
    ])
    func rejectsEveryOther(_ target: String) { #expect(HTMLLink(checking: target) == nil) }
}
