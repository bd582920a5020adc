import Cryptography
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import PageAssets

/// What lets browsers install the app, and say how to start it while the server is away. None of it has data, so none
/// needs a session.
enum ShellPages {
    static let manifest = HTMLLink("manifest.webmanifest")
    private static let offline = HTMLLink("offline")

    static func routes(_ gate: AppGate) -> [Route] {
        let manifest = manifestText()
        return [
            Route(
                .get, "/manifest.webmanifest",
                .immediate { _ in
                    AppResponse.file(manifest, type: "application/manifest+json")
                }),
            Route(.get, "/service-worker.js", .immediate { _ in workerFile() }),
            Route(.get, "/offline", .immediate { _ in AppResponse.page(offlinePage) }),
        ]
    }

    private static func manifestText() -> [UInt8] {
        func icon(_ asset: PageAsset, _ purpose: String) -> JSONValue {
            [
                "src": .string(asset.link.text), "sizes": "any", "type": "image/svg+xml", "purpose": .string(purpose),
            ]
        }
        let manifest: JSONValue = [
            "name": "SubGuard", "short_name": "SubGuard", "id": "/", "start_url": "/", "scope": "/",
            "display": "standalone", "background_color": "#f7f7f5", "theme_color": "#2b59c3",
            "icons": [icon(AppAsset.favicon, "any"), icon(AppAsset.appIcon, "maskable")],
        ]
        return manifest.serialized()
    }

    static func workerFile() -> Response { AppResponse.file(worker, type: "text/javascript; charset=utf-8") }

    /// The list of the files with hash and type of each, and a version that changes with them, before the program.
    private static let worker: [UInt8] = {
        func file(_ link: HTMLLink, _ integrity: String, _ type: String) -> JSONValue {
            [.string(link.text), ["integrity": .string(integrity), "type": .string(type)]]
        }
        let hash = PageAsset.integrity(sha256: SHA256.hash(of: offlinePage))
        let files = AppAsset.all.map { file($0.link, $0.integrity, $0.contentType) }
        let list = JSONValue.array([file(offline, hash, "text/html; charset=utf-8")] + files).serialized()
        let version = SHA256.hash(of: list + AppAsset.worker.utf8).prefix(8).map { String($0, radix: 16) }.joined()
        let head = "const VERSION = \"\(version)\";\nconst SHELL = new Map(\(String(decoding: list, as: UTF8.self)));\n"
        return Array((head + AppAsset.worker).utf8)
    }()

    /// The same for everybody, so that the worker knows its hash; in both languages, because the setting may change.
    private static let offlinePage: [UInt8] = {
        var html = HTMLWriter(capacity: 2048)
        html.doctype()
        html.add(.html, .lang("en")) { html in
            html.head(
                title: "SubGuard", icon: AppAsset.favicon, styles: [AppAsset.base, AppAsset.styles],
                script: AppAsset.script)
            html.add(.body) { html in
                html.add(.main, .class("card"), .id("main")) { html in
                    html.add(.p, .class("brand")) { AppAsset.writeBrand(to: &$0) }
                    html.add(.h1, text: "SubGuard")
                    for (language, text) in [
                        ("en", "The app is not running. In a terminal, run:"),
                        ("fr", "L’app n’est pas lancée. Dans un terminal, lance\u{202F}:"),
                    ] {
                        html.add(.p, .lang(language), .class("after"), text: text)
                    }
                    // The script goes on to the page that was asked for.
                    html.add(.p, .class("after"), .data("offline")) { $0.add(.code, text: "subguard open") }
                }
            }
        }
        return html.bytes
    }()
}
