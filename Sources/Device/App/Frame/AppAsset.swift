import HTML
import PageAssets

/// The files that pages of the app refer to.
enum AppAsset {
    private static let folder = ["assets"]

    static let base = PageAsset(EmbeddedAsset.baseCSS, in: folder)
    static let styles = PageAsset(EmbeddedAsset.appCSS, in: folder)
    static let script = PageAsset(EmbeddedAsset.appJS, in: folder)
    static let icons = PageAsset(EmbeddedAsset.iconsSVG, in: folder)
    static let favicon = PageAsset(EmbeddedAsset.faviconSVG, in: folder)

    /// The icon of the installed app, which the system may cut to its own shape.
    static let appIcon = PageAsset(EmbeddedAsset.appiconSVG, in: folder)
    /// The program of the service worker, without its list of files. It has an address of its own.
    static let worker = EmbeddedAsset.workerJS.text

    /// The mark and the name of the program.
    static func writeBrand(to html: inout HTMLWriter) {
        html.icon(icons.link, "mark", .class("icon"))
        html.text("SubGuard")
    }

    static let all = [base, styles, script, icons, favicon, appIcon]
}
