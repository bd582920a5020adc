package import SubGuardContract

extension APIOperation {
    /// Every call of the server, in the order of the document. Routing, documentation and permission checks use this
    /// list.
    package static let all: [APIOperation] =
        [health] + ofService + ofDevices + [crashes, sentryEnvelope, sentryStore] + [postHogBatch] + ofApple
        + ofCatalogueEditing
        + ofCatalogueReview + ofCatalogueFiles + ofModeration + ofAccess + ofCustomers + ofAlerts + ofAlertRules
        + ofCrashes
        + ofSymbols
        + ofFigures
        + ofExports
}
