package import HTML

/// A file that pages refer to. Its address contains a hash of its content, so that browsers may keep it forever.
package struct PageAsset: Sendable {
    /// The last part of the address, such as `base.0123456789abcdef.css`.
    package let name: String
    package let contentType: String
    package let content: [UInt8]
    package let link: HTMLLink

    /// - Parameter folder: the segments of the address before the name.
    package init(_ embedded: EmbeddedAsset, in folder: [String]) {
        name = "\(embedded.stem).\(embedded.hash).\(embedded.suffix)"
        contentType =
            switch embedded.suffix {
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            default: "image/svg+xml"
            }
        content = Array(embedded.text.utf8)
        link = HTMLLink(path: folder + [name])
    }
}

/// A file of a folder `Assets`, as Scripts/generate embeds it.
package struct EmbeddedAsset: Sendable {
    package let stem: String
    package let suffix: String
    /// The first 16 digits of the SHA-256 of the text.
    package let hash: String
    package let text: String

    package init(stem: String, suffix: String, hash: String, text: String) {
        self.stem = stem
        self.suffix = suffix
        self.hash = hash
        self.text = text
    }
}
