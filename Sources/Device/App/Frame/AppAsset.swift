import PageAssets

/// The files that pages of the app refer to.
enum AppAsset {
    private static let folder = ["assets"]

    static let base = PageAsset(EmbeddedAsset.baseCSS, in: folder)
    static let styles = PageAsset(EmbeddedAsset.appCSS, in: folder)
    static let script = PageAsset(EmbeddedAsset.appJS, in: folder)
    static let icons = PageAsset(EmbeddedAsset.iconsSVG, in: folder)
    static let favicon = PageAsset(EmbeddedAsset.faviconSVG, in: folder)

    static let all = [base, styles, script, icons, favicon]
}
