import Foundation
package import HTML
import TextCoding

/// A file that pages refer to. Its address contains a hash of its content, so that browsers may keep it forever, and
/// pages name its hash, so that nothing else is run from that address.
package struct PageAsset: Sendable {
    /// The last part of the address, such as `base.0123456789abcdef.css`.
    package let name: String
    package let contentType: String
    package let content: [UInt8]
    package let link: HTMLLink
    /// For the attribute of this name (Subresource Integrity).
    package let integrity: String

    /// - Parameter folder: the segments of the address before the name.
    package init(_ embedded: EmbeddedAsset, in folder: [String]) {
        name = "\(embedded.stem).\(embedded.sha256.prefix(16)).\(embedded.suffix)"
        contentType =
            switch embedded.suffix {
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            default: "image/svg+xml"
            }
        content = Array(embedded.text.utf8)
        link = HTMLLink(path: folder + [name])
        integrity = Self.integrity(sha256: Hexadecimal.bytes(embedded.sha256) ?? [])
    }

    /// A SHA-256 in the form of the attribute `integrity`.
    package static func integrity(sha256: [UInt8]) -> String { "sha256-" + Data(sha256).base64EncodedString() }
}

/// A file of a folder `Assets`, as Scripts/generate embeds it.
package struct EmbeddedAsset: Sendable {
    package let stem: String
    package let suffix: String
    /// Of the text, 64 hexadecimal digits.
    package let sha256: String
    package let text: String

    package init(stem: String, suffix: String, sha256: String, text: String) {
        self.stem = stem
        self.suffix = suffix
        self.sha256 = sha256
        self.text = text
    }
}

extension HTMLWriter {
    /// What the heads of all pages share.
    ///
    /// - Parameters:
    ///   - title: of the page, to which the name of the product is added.
    ///   - more: further elements, before the styles.
    package mutating func head(
        title: String, colorScheme: String = "light dark", icon: PageAsset, styles: [PageAsset], script: PageAsset,
        more: (inout HTMLWriter) -> Void = { _ in }
    ) {
        add(.head) { html in
            html.add(.meta, .charset("utf-8"))
            html.add(.title, text: title == "SubGuard" ? title : "\(title) · SubGuard")
            html.add(.meta, .name("viewport"), .content("width=device-width, initial-scale=1"))
            html.add(.meta, .name("color-scheme"), .content(colorScheme))
            html.add(.link, .rel("icon"), .type("image/svg+xml"), .href(icon.link))
            more(&html)
            for style in styles {
                html.add(.link, .rel("stylesheet"), .href(style.link), .integrity(style.integrity))
            }
            html.script(script.link, integrity: script.integrity)
        }
    }
}
