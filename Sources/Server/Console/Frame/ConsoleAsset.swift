package import PageAssets

/// The files that pages of the console refer to.
package enum ConsoleAsset {
    private static let folder = ["console", "assets"]

    static let base = PageAsset(EmbeddedAsset.baseCSS, in: folder)
    static let styles = PageAsset(EmbeddedAsset.consoleCSS, in: folder)
    static let script = PageAsset(EmbeddedAsset.consoleJS, in: folder)
    static let icons = PageAsset(EmbeddedAsset.iconsSVG, in: folder)
    static let favicon = PageAsset(EmbeddedAsset.faviconSVG, in: folder)

    package static let all = [base, styles, script, icons, favicon]
}
