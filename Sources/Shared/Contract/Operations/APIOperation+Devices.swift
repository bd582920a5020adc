/// The calls that devices make, and those that Apple and the SDKs of other makers make.
extension APIOperation {
    // Catalogue
    public static let catalogue = APIOperation(undeclared: .get, "/api/v1/catalogue")
    public static let catalogueItem = APIOperation(undeclared: .get, "/api/v1/catalogue/{id:uuid}")
    public static let catalogueSearch = APIOperation(undeclared: .get, "/api/v1/catalogue/search")
    public static let logo = APIOperation(undeclared: .get, "/logos/{file}")

    // Suggestions and analytics
    public static let suggestions = APIOperation(undeclared: .post, "/api/v1/suggestions")
    public static let analytics = APIOperation(undeclared: .post, "/api/v1/analytics")
    public static let analyticsErasure = APIOperation(undeclared: .post, "/api/v1/analytics/erasure")
    public static let crashes = APIOperation(undeclared: .post, "/api/v1/crashes")
    public static let sentryEnvelope = APIOperation(
        undeclared: .post, "/ingest/api/{project_id}/envelope/", bodyTypes: .any)
    public static let sentryStore = APIOperation(undeclared: .post, "/ingest/api/{project_id}/store/", bodyTypes: .any)
    public static let postHogBatch = APIOperation(undeclared: .post, "/batch/", bodyTypes: .any)

    // Accounts
    public static let signIn = APIOperation(undeclared: .post, "/api/v1/auth/apple")
    public static let refreshSession = APIOperation(undeclared: .post, "/api/v1/auth/refresh")
    public static let signOut = APIOperation(undeclared: .post, "/api/v1/auth/sign_out", access: .session)
    public static let eraseAccount = APIOperation(undeclared: .delete, "/api/v1/me", access: .session)
    public static let appleNotifications = APIOperation(undeclared: .post, "/api/v1/auth/apple/notifications")

    // Premium
    public static let verifyPremium = APIOperation(undeclared: .post, "/api/v1/premium/verify", access: .session)
    public static let premium = APIOperation(undeclared: .get, "/api/v1/premium", access: .session)
    public static let appStoreNotifications = APIOperation(undeclared: .post, "/api/v1/app_store/notifications")

    /// In the order of the document.
    public static let ofDevices: [APIOperation] = [
        catalogue, catalogueItem, catalogueSearch, logo, suggestions, analytics, analyticsErasure, crashes,
        sentryEnvelope, sentryStore, postHogBatch, signIn, refreshSession, signOut, eraseAccount, appleNotifications,
        verifyPremium, premium, appStoreNotifications,
    ]
}
