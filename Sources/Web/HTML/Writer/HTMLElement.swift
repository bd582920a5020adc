/// An HTML element with content. The raw value is its name.
///
/// Left out on purpose: `style`, and `script` with content; the content security policy of our pages blocks both.
package enum HTMLElement: String, Sendable, CaseIterable {
    case html, head, title, body, header, nav, main, footer, section, article, aside, div, span
    case h1, h2, h3, p, a, ul, ol, li, dl, dt, dd, strong, b, em, small, code, pre, kbd, bdi, time, output, ins, del
    case table, caption, thead, tbody, tfoot, tr, th, td
    case form, label, button, select, optgroup, option, textarea, fieldset, legend, datalist
    case details, summary, dialog
}

/// An HTML element without content and end tag.
package enum HTMLVoidElement: String, Sendable, CaseIterable {
    case meta, link, input, br, wbr, hr, img, col
}

/// An SVG element inside an HTML page.
package enum SVGElement: String, Sendable, CaseIterable {
    case svg, g, defs, pattern, symbol, use, rect, line, polyline, path, circle, text, title, desc
}
