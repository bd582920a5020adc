import SubGuardDomain

/// Removes the files of logos that nobody can see any more.
package struct LogoCollector: Sendable {
    /// So long a logo that was replaced stays, so that an undo can bring it back.
    package static let graceDays = 30

    private let context: BackendContext
    private let folder: LogoFolder

    package init(context: BackendContext, folder: LogoFolder) {
        self.context = context
        self.folder = folder
    }

    /// Returns how many files went.
    @discardableResult
    package func run() throws -> Int {
        let store = CatalogueStore(context: context)
        let released = try store.releasedLogos(before: context.now().adding(days: -Self.graceDays))
        for name in released {
            folder.remove(name)
            try store.forgetLogo(name)
        }
        return released.count + (try folder.removeStrays(knows: store.knowsLogo))
    }
}
