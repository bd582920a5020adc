package import SubGuardDomain
import SubGuardEngine

extension DisplayLanguage {
    /// Any error in words.
    package func text(of error: any Error) -> String {
        (error as? DeviceStoreError)?.displayText(self) ?? lines("\(error)")
    }
}
