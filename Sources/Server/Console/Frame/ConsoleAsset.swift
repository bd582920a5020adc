package import HTML

/// A file that pages refer to. Its address contains a hash of its content, so that browsers may keep it forever.
package struct ConsoleAsset: Sendable {
    /// The last part of the address, such as `console.0123456789abcdef.css`.
    package let name: String
    package let contentType: String
    package let content: [UInt8]
    package let link: HTMLLink

    private init(_ embedded: EmbeddedAsset, _ contentType: String) {
        name = "\(embedded.stem).\(embedded.hash).\(embedded.suffix)"
        self.contentType = contentType
        content = Array(embedded.text.utf8)
        link = HTMLLink("console", "assets", name)
    }

    static let styles = ConsoleAsset(EmbeddedAsset.consoleCSS, "text/css; charset=utf-8")
    static let script = ConsoleAsset(EmbeddedAsset.consoleJS, "text/javascript; charset=utf-8")
    static let icons = ConsoleAsset(EmbeddedAsset.iconsSVG, "image/svg+xml")
    static let favicon = ConsoleAsset(EmbeddedAsset.faviconSVG, "image/svg+xml")

    package static let all = [styles, script, icons, favicon]
}

/// A file of the folder `Assets`, as Scripts/generate embeds it.
struct EmbeddedAsset: Sendable {
    let stem: String
    let suffix: String
    /// The first 16 digits of the SHA-256 of the text.
    let hash: String
    let text: String
}
