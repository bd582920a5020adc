import SubGuardClient
import SubGuardDomain
import Testing

@Suite struct ClientErrorWordsTests {
    @Test(arguments: [
        (ClientError.unreachable(.offline), "server unreachable: no network connection"),
        (.sessionEnded, "the session has expired; sign in again"), (.busy, "another process is syncing"),
    ])
    func isSaidInBothLanguages(_ error: ClientError, _ english: String) {
        #expect(error.displayText(.english) == english)
        let french = error.displayText(.french)
        #expect(!french.isEmpty && french != english)
    }

    @Test func namesWhatIsUnreachableInFrench() {
        #expect(
            ClientError.unreachable(.offline).displayText(.french) == "serveur injoignable : aucune connexion réseau")
    }
}
