import Publication

/// An attribute of an element. The names are a closed list: no event handlers and no `style`.
package struct HTMLAttribute: Sendable {
    enum Value: Sendable {
        /// Present without a value.
        case flag
        case text(String)
        case literal(StaticString)
    }

    let name: StaticString
    /// The second part of a name such as `data-…`.
    var suffix: StaticString?
    let value: Value

    private init(_ name: StaticString, _ value: Value, suffix: StaticString? = nil) {
        self.name = name
        self.value = value
        self.suffix = suffix
    }

    private init(_ name: StaticString, _ text: String) { self.init(name, .text(text)) }

    private init(_ name: StaticString, _ number: Double, unit: String = "") {
        self.init(name, .text(PlotNumber.text(number) + unit))
    }
}

// MARK: HTML

extension HTMLAttribute {
    package static func id(_ text: String) -> HTMLAttribute { HTMLAttribute("id", text) }
    /// Class names, separated by blanks. Literals only, so that no data chooses a style.
    package static func `class`(_ names: StaticString) -> HTMLAttribute { HTMLAttribute("class", .literal(names)) }
    package static func lang(_ text: String) -> HTMLAttribute { HTMLAttribute("lang", text) }
    package static func title(_ text: String) -> HTMLAttribute { HTMLAttribute("title", text) }
    package static func role(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("role", .literal(name)) }
    package static func aria(_ name: StaticString, _ text: String) -> HTMLAttribute {
        HTMLAttribute("aria-", .text(text), suffix: name)
    }
    package static func data(_ name: StaticString, _ text: String = "") -> HTMLAttribute {
        HTMLAttribute("data-", .text(text), suffix: name)
    }
    package static let hidden = HTMLAttribute("hidden", .flag)
    package static func tabindex(_ index: Int) -> HTMLAttribute { HTMLAttribute("tabindex", "\(index)") }

    package static func href(_ link: HTMLLink) -> HTMLAttribute { HTMLAttribute("href", PublishedPath.of(link.text)) }
    package static func source(_ link: HTMLLink) -> HTMLAttribute { HTMLAttribute("src", PublishedPath.of(link.text)) }
    package static func action(_ link: HTMLLink) -> HTMLAttribute {
        HTMLAttribute("action", PublishedPath.of(link.text))
    }
    package static func formAction(_ link: HTMLLink) -> HTMLAttribute {
        HTMLAttribute("formaction", PublishedPath.of(link.text))
    }
    package static func rel(_ names: StaticString) -> HTMLAttribute { HTMLAttribute("rel", .literal(names)) }
    /// The only content that a browser takes from the address: a hash of it, such as `sha256-` and Base64.
    package static func integrity(_ hash: String) -> HTMLAttribute { HTMLAttribute("integrity", hash) }
    package static func download(_ name: String) -> HTMLAttribute { HTMLAttribute("download", name) }
    package static func hreflang(_ text: String) -> HTMLAttribute { HTMLAttribute("hreflang", text) }
    package static func alt(_ text: String) -> HTMLAttribute { HTMLAttribute("alt", text) }

    package static func charset(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("charset", .literal(name)) }
    package static func name(_ text: String) -> HTMLAttribute { HTMLAttribute("name", text) }
    package static func content(_ text: String) -> HTMLAttribute { HTMLAttribute("content", text) }
    package static func media(_ query: StaticString) -> HTMLAttribute { HTMLAttribute("media", .literal(query)) }

    package static func type(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("type", .literal(name)) }
    package static func value(_ text: String) -> HTMLAttribute { HTMLAttribute("value", text) }
    package static func placeholder(_ text: String) -> HTMLAttribute { HTMLAttribute("placeholder", text) }
    package static func `for`(_ id: String) -> HTMLAttribute { HTMLAttribute("for", id) }
    package static func form(_ id: String) -> HTMLAttribute { HTMLAttribute("form", id) }
    package static func list(_ id: String) -> HTMLAttribute { HTMLAttribute("list", id) }
    package static func label(_ text: String) -> HTMLAttribute { HTMLAttribute("label", text) }
    package static let lazy = HTMLAttribute("loading", .literal("lazy"))
    package static let methodPost = HTMLAttribute("method", .literal("post"))
    package static let multipart = HTMLAttribute("enctype", .literal("multipart/form-data"))
    package static func autocomplete(_ name: StaticString) -> HTMLAttribute {
        HTMLAttribute("autocomplete", .literal(name))
    }
    package static func inputMode(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("inputmode", .literal(name)) }
    package static func spellcheck(_ isOn: Bool) -> HTMLAttribute { HTMLAttribute("spellcheck", "\(isOn)") }
    package static func maxLength(_ count: Int) -> HTMLAttribute { HTMLAttribute("maxlength", "\(count)") }
    package static func minimum(_ text: String) -> HTMLAttribute { HTMLAttribute("min", text) }
    package static func maximum(_ text: String) -> HTMLAttribute { HTMLAttribute("max", text) }
    package static func step(_ text: StaticString) -> HTMLAttribute { HTMLAttribute("step", .literal(text)) }
    package static func accept(_ types: StaticString) -> HTMLAttribute { HTMLAttribute("accept", .literal(types)) }
    package static let multiple = HTMLAttribute("multiple", .flag)
    package static func rows(_ count: Int) -> HTMLAttribute { HTMLAttribute("rows", "\(count)") }
    package static func size(_ count: Int) -> HTMLAttribute { HTMLAttribute("size", "\(count)") }
    package static let readOnly = HTMLAttribute("readonly", .flag)
    package static let required = HTMLAttribute("required", .flag)
    package static let autofocus = HTMLAttribute("autofocus", .flag)
    package static let checked = HTMLAttribute("checked", .flag)
    package static let selected = HTMLAttribute("selected", .flag)
    package static let disabled = HTMLAttribute("disabled", .flag)
    package static let open = HTMLAttribute("open", .flag)
    package static let popover = HTMLAttribute("popover", .flag)
    package static func popoverTarget(_ id: String) -> HTMLAttribute { HTMLAttribute("popovertarget", id) }
    package static let `defer` = HTMLAttribute("defer", .flag)

    package static func scope(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("scope", .literal(name)) }
    package static func columnSpan(_ count: Int) -> HTMLAttribute { HTMLAttribute("colspan", "\(count)") }
    package static func datetime(_ text: String) -> HTMLAttribute { HTMLAttribute("datetime", text) }
    package static func width(pixels: Int) -> HTMLAttribute { HTMLAttribute("width", "\(pixels)") }
    package static func height(pixels: Int) -> HTMLAttribute { HTMLAttribute("height", "\(pixels)") }
}

// MARK: SVG presentation

extension HTMLAttribute {
    static func viewBox(width: Int, height: Int) -> HTMLAttribute { HTMLAttribute("viewBox", "0 0 \(width) \(height)") }
    /// For pages that are also XML.
    static let svgNamespace = HTMLAttribute("xmlns", .literal("http://www.w3.org/2000/svg"))
    static let stretched = HTMLAttribute("preserveAspectRatio", .literal("none"))
    static let steadyStroke = HTMLAttribute("vector-effect", .literal("non-scaling-stroke"))
    static func path(_ commands: String) -> HTMLAttribute { HTMLAttribute("d", commands) }
    static func dashes(_ pattern: StaticString) -> HTMLAttribute {
        HTMLAttribute("stroke-dasharray", .literal(pattern))
    }
    /// Fills with a pattern of the same page.
    static func fill(patternID: String) -> HTMLAttribute { HTMLAttribute("fill", "url(#\(patternID))") }
    /// Fills with a colour of 8 bits each for red, green and blue.
    static func fill(colour: UInt32) -> HTMLAttribute {
        let digits = String(colour & 0xFF_FFFF, radix: 16)
        return HTMLAttribute("fill", "#" + String(repeating: "0", count: 6 - digits.count) + digits)
    }
    static func anchor(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("text-anchor", .literal(name)) }
    static func patternUnits() -> HTMLAttribute { HTMLAttribute("patternUnits", .literal("userSpaceOnUse")) }
    static func rotated(by degrees: Int) -> HTMLAttribute { HTMLAttribute("patternTransform", "rotate(\(degrees))") }
    static func fullWidth() -> HTMLAttribute { HTMLAttribute("width", .literal("100%")) }
    static func x(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("x", pixels) }
    static func x(percent: Double) -> HTMLAttribute { HTMLAttribute("x", percent, unit: "%") }
    static func y(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("y", pixels) }
    static func points(_ points: String) -> HTMLAttribute { HTMLAttribute("points", points) }
    static func x1(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("x1", pixels) }
    static func x2(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("x2", pixels) }
    static func x1(percent: Double) -> HTMLAttribute { HTMLAttribute("x1", percent, unit: "%") }
    static func x2(percent: Double) -> HTMLAttribute { HTMLAttribute("x2", percent, unit: "%") }
    static func y1(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("y1", pixels) }
    static func y2(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("y2", pixels) }
    static func cx(percent: Double) -> HTMLAttribute { HTMLAttribute("cx", percent, unit: "%") }
    static func cy(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("cy", pixels) }
    static func radius(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("r", pixels) }
    static func corner(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("rx", pixels) }
    static func width(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("width", pixels) }
    static func width(percent: Double) -> HTMLAttribute { HTMLAttribute("width", percent, unit: "%") }
    static func height(_ pixels: Double) -> HTMLAttribute { HTMLAttribute("height", pixels) }
}
