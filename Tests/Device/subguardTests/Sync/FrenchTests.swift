import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    /// What the commands that talk to a server say in French.
    @Suite struct FrenchTests {
        private let server: Server
        private let device: Client

        init() throws {
            server = try Server()
            device = try Client(
                environment: ["SUBGUARD_SERVER": server.address, "SUBGUARD_PREMIUM": "", "LANG": "fr_CH.UTF-8"])
        }

        private func says(_ arguments: String..., status: Int32 = 0) throws -> String {
            let outcome = try device.run(arguments)
            #expect(outcome.status == status, "\(outcome)")
            return outcome.output + outcome.errors
        }

        @Test func aFirstSynchronisationAndItsState() throws {
            #expect(try says("search", "zzzzzz") == "Rien trouvé : subguard suggest NOM\n")
            #expect(try says("search", "cine", "--limit", "1").contains(" nom "))
            _ = try device.id("suggest", "Été “26”")
            #expect(
                try says("sync") == """
                    catalogue    rien à faire : à jour, services 4
                    suggestions  fait : acceptées 1, déjà connues 0, refusées 0
                    effacement   rien à faire : rien n'attend
                    événements   rien à faire : accord non donné, en attente 2
                    premium      rien à faire : personne n'est connecté

                    """)
            #expect(try says("consent") == "non donné\n")
            #expect(try says("consent", "grant") == "donné\n")
            #expect(
                try says("sync", "--force") == """
                    catalogue    fait : inchangé, services 4
                    suggestions  rien à faire : rien n'attend
                    effacement   rien à faire : rien n'attend
                    événements   fait : acceptés 2, déjà connus 0, rejetés 0, en attente 0
                    premium      rien à faire : personne n'est connecté

                    """)
            #expect(
                try says("status") == """
                    catalogue      à jour, 4, 2026-11-20T10:00:00Z, \(server.address)
                    suggestions    en attente 0, refusées 0
                    événements     en attente 0, abandonnés 0, rejetés 0
                    accord         donné
                    dernière sync  2026-11-20T10:00:00Z
                    compte         –
                    premium        non

                    """)
        }

        @Test func whatFailedIsToldInFrenchLater() throws {
            _ = try device.id("suggest", "Été “26”")
            let port = try CannedServer("").port
            let away = try says("sync", "--server", "http://127.0.0.1:\(port)", status: 1)
            #expect(
                away.hasPrefix(
                    """
                    catalogue    échec : le serveur est injoignable : rien n'y écoute
                    suggestions  échec : le serveur est injoignable : rien n'y écoute
                    effacement   rien à faire : rien n'attend

                    """), "\(away)")
            #expect(
                try says("status").contains(
                    """
                    dernière sync  –
                      catalogue    le serveur est injoignable : rien n'y écoute
                      suggestions  le serveur est injoignable : rien n'y écoute
                    compte         –

                    """))
            // The reason is kept, and not the language in which it was first told.
            #expect(
                try device.json("status", "--lang", "en")["last_sync"]?["failures"]?["catalogue"]?.stringValue
                    == "the server cannot be reached: nothing listens there")
            #expect(try says("consent", "revoke") == "retiré\n")
            #expect(try says("sync").contains("événements   rien à faire : accord retiré, en attente 0\n"))
        }

        @Test func refusals() throws {
            for (arguments, text) in [
                (
                    ["sync", "--server", "nonsense"],
                    "--server : doit être l'adresse d'un serveur, telle que https://subguard.example"
                ),
                (
                    ["sync", "--server", "http://10.0.0.1"],
                    "--server : doit commencer par https:// ; http n'est que pour un serveur de cette machine"
                ),
                (
                    ["sync", "--server", "https://u:p@x"],
                    "--server : ne doit avoir ni nom d'utilisateur, ni requête, ni fragment"
                ),
                (["sync", "--server", "https://[::1]"], "--server : doit nommer l'hôte ou donner une adresse IPv4"),
                (["sync", "--server", "https://x:70000"], "--server : doit avoir un port de 1 à 65535"),
                (
                    ["sync", "--server", ""],
                    "--server : doit être l'adresse d'un serveur, telle que https://subguard.example"
                ),
                (["logo", "nowhere"], "item : le catalogue de cet appareil ne l'a pas"),
                (["suggest", ""], "name : obligatoire"),
                (["premium", "verify", "--transaction-file", "/dev/null"], "personne n'est connecté à ce serveur"),
            ] {
                #expect(try says(arguments, status: 1) == "erreur : \(text)\n", "\(arguments)")
            }
            let named = try Client(environment: ["SUBGUARD_CONSENT": "perhaps"]).run("status", "--lang", "fr")
            #expect(named.errors == "erreur : SUBGUARD_CONSENT : doit être true ou false\n")
            #expect(try says("premium") == "gratuit\n")
            #expect(
                try says("account", "erase")
                    == "pas de compte : personne n'est connecté\nles abonnements de cet appareil restent\n")
            #expect(try says("account", "sign-out") == "déconnecté ici ; le serveur n'a pu être prévenu\n")
        }

        private func says(_ arguments: [String], status: Int32) throws -> String {
            let outcome = try device.run(arguments)
            #expect(outcome.status == status, "\(outcome)")
            return outcome.errors
        }
    }
}
