import SubGuardDomain

/// Removes the logos that nobody can see any more.
package struct LogoCollector: Sendable {
    /// So long a logo that was replaced stays, so that an undo can bring it back.
    package static let graceDays = 30

    private let context: BackendContext
    private let contents: any LogoContents

    package init(context: BackendContext, contents: any LogoContents) {
        self.context = context
        self.contents = contents
    }

    /// Returns how many went.
    @discardableResult
    package func run() throws -> Int {
        let store = CatalogueStore(context: context)
        let moment = context.now().adding(days: -Self.graceDays)
        var removed = 0
        for name in try store.releasedLogos(before: moment) {
            if try store.removeLogo(name, releasedBefore: moment, from: contents) { removed += 1 }
        }
        return removed + (try contents.removeStrays(unknownTo: store))
    }
}
