import Cryptography
import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import PageAssets
import SubGuardEngine

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
            Route(
                .get, "/service-worker.js",
                .immediate { _ in workerFile() }),
            Route(
                .get, "/offline",
                .blocking { request in
                    AppResponse.page(offlinePage(try AppVisit(request, gate.context, session: nil)))
                }),
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

    /// The list of the files, and a version that changes with them, before the program.
    private static let worker: [UInt8] = {
        let shell = [offline.text] + AppAsset.all.map(\.link.text)
        let list = JSONValue.array(shell.map { .string($0) }).serialized()
        let version = SHA256.hash(of: list + AppAsset.worker.utf8).prefix(8).map { String($0, radix: 16) }.joined()
        let head = "const VERSION = \"\(version)\";\nconst SHELL = \(String(decoding: list, as: UTF8.self));\n"
        return Array((head + AppAsset.worker).utf8)
    }()

    /// In both languages: the browser keeps it, and the setting may change.
    private static func offlinePage(_ visit: AppVisit) -> [UInt8] {
        visit.card(title: "SubGuard") { html in
            for (language, text) in [
                ("en", "The app is not running. In a terminal, run:"),
                ("fr", "L'app n'est pas lancée. Dans un terminal, lance :"),
            ] {
                html.add(.p, .lang(language), .class("after"), text: text)
            }
            // The script goes on to the page that was asked for.
            html.add(.p, .class("after"), .data("offline")) { $0.add(.code, text: "subguard open") }
        }
    }
}
