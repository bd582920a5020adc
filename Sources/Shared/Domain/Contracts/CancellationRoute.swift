/// How a subscription can be cancelled.
public struct CancellationRoute: Sendable, Hashable {
    /// Where it is cancelled. The raw value is the wire form.
    public enum Channel: String, Sendable, Hashable {
        /// In the App Store account, because the payment goes through it.
        case appStore = "app_store"
        /// On the page for cancelling that the catalogue names.
        case cancelPage = "cancel_page"
        /// On the website of the subscription.
        case website
    }

    /// The page where Apple lists the subscriptions of an account.
    public static let appStoreURL = "https://apps.apple.com/account/subscriptions"

    /// Where ``url`` leads.
    public var channel: Channel
    /// A link that can be opened, or the website as it was entered.
    public var url: String
}

extension Subscription {
    /// Whether the payment method names the App Store. Apple Pay and Apple Card are payment methods of other sellers.
    public var isPaidThroughAppStore: Bool {
        let method = TextFolding.fold(paymentMethod)
        return method == "apple" || ["app store", "appstore", "itunes"].contains { method.contains($0) }
    }

    /// Where to cancel: in the App Store when the payment goes through it, else on the page that the catalogue names,
    /// else on the website. Nil when none of them is known.
    ///
    /// - Parameter item: the linked catalogue item.
    public func cancellationRoute(_ item: CatalogueItem?) -> CancellationRoute? {
        if isPaidThroughAppStore { return CancellationRoute(channel: .appStore, url: CancellationRoute.appStoreURL) }
        if let url = item?.cancelURL, !url.isEmpty { return CancellationRoute(channel: .cancelPage, url: url) }
        let site = website.isEmpty ? item?.website ?? "" : website
        return site.isEmpty ? nil : CancellationRoute(channel: .website, url: site)
    }
}
