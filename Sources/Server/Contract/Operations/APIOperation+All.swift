package import SubGuardContract

extension APIOperation {
    /// Every call that the server answers, in the order of the document: routing, documentation, permissions and clients
    /// read it.
    package static let all: [APIOperation] =
        [health] + ofService + ofDevices + ofCrashReports + [postHogBatch] + ofApple + ofCatalogueEditing
        + ofCatalogueReview + ofCatalogueFiles + ofModeration + ofAccess + ofAlerts + ofCrashes + ofFigures
}
