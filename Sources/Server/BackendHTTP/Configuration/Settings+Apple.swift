import Backend
import Foundation

extension Settings {
    /// What the App Store's messages must say and end at. Throws ``StartError/rootCertificates(path:)``.
    func storeRoots() throws -> StoreRoots {
        let paths = list(.appStoreRootCertificates)
        guard !paths.isEmpty else { return .apple }
        let texts = try paths.map { path in
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), StoreRoots(pem: [text]) != nil else {
                throw StartError.rootCertificates(path: path)
            }
            return text
        }
        return StoreRoots(pem: texts) ?? .apple
    }

    var storeRules: StoreMessages.Rules {
        let appID = integer(.appStoreAppID)
        return StoreMessages.Rules(
            bundleID: text(.appStoreBundleID), environment: text(.appStoreEnvironment),
            appID: appID > 0 ? Int64(appID) : nil, productIDs: Set(list(.appStoreProductIDs)))
    }
}
