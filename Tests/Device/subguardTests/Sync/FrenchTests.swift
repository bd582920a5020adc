import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    /// French output of the commands that contact a server.
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
            #expect(try says("search", "zzzzzz") == "Aucun résultat. Pour suggérer un service : subguard suggest NOM\n")
            #expect(try says("search", "cine", "--limit", "1").contains(" nom "))
            _ = try device.id("suggest", "Été “26”")
            #expect(
                try says("sync") == """
                    catalogue    à jour, 4 services
                    suggestions  1 suggestion acceptée
                    effacement   rien à effacer
                    événements   pas d’envoi : accord pas encore donné, 2 en attente
                    sessions     pas d’envoi : accord pas encore donné
                    premium      non connecté

                    """)
            #expect(try says("consent") == "pas encore donné\n")
            #expect(try says("consent", "grant") == "donné\n")
            #expect(
                try says("sync", "--force") == """
                    catalogue    aucun changement, 4 services
                    suggestions  rien à envoyer
                    effacement   rien à effacer
                    événements   2 événements acceptés
                    sessions     5 sessions signalées
                    premium      non connecté

                    """)
            #expect(
                try says("status") == """
                    base de données           \(device.store)
                    catalogue                 à jour, 4 services, vérifié le 20/11/2026 11:00, \(server.address)
                    suggestions               0 en attente
                    événements                0 en attente
                    sessions                  0 en attente
                    accord                    donné
                    dernière synchronisation  20/11/2026 11:00
                    compte                    –
                    premium                   non
                    dernière sauvegarde       –

                    """)
        }

        @Test func whatFailedIsToldInFrenchLater() throws {
            _ = try device.id("suggest", "Été “26”")
            let port = try CannedServer("").port
            let away = try says("sync", "--server", "http://127.0.0.1:\(port)", status: 1)
            #expect(
                away.hasPrefix(
                    """
                    catalogue    échec : serveur injoignable : connexion refusée
                    suggestions  échec : serveur injoignable : connexion refusée
                    effacement   rien à effacer

                    """), "\(away)")
            #expect(
                try says("status").contains(
                    """
                    dernière synchronisation  –
                      catalogue               serveur injoignable : connexion refusée
                      suggestions             serveur injoignable : connexion refusée
                    compte                    –

                    """))
            // The stored error does not depend on the language in which it was first shown.
            #expect(
                try device.json("status", "--lang", "en")["last_sync"]?["failures"]?["catalogue"]?.stringValue
                    == "server unreachable: connection refused")
            #expect(try says("consent", "revoke") == "retiré\n")
            #expect(try says("sync").contains("événements   pas d’envoi : accord retiré\n"))
        }

        @Test func refusals() throws {
            for (arguments, text) in [
                (
                    ["sync", "--server", "nonsense"],
                    "--server : doit être l’adresse d’un serveur, telle que https://subguard.example"
                ),
                (
                    ["sync", "--server", "http://10.0.0.1"],
                    "--server : doit commencer par https:// ; http:// n’est accepté que pour cette machine"
                ),
                (
                    ["sync", "--server", "https://u:p@x"],
                    "--server : ne doit avoir ni nom d’utilisateur, ni requête, ni fragment"
                ),
                (
                    ["sync", "--server", "https://[::1]"],
                    """
                    --server : doit utiliser un nom d’hôte ou une adresse IPv4 ; les littéraux IPv6 ne sont pas pris \
                    en charge
                    """
                ),
                (["sync", "--server", "https://x:70000"], "--server : doit avoir un port de 1 à 65535"),
                (
                    ["sync", "--server", ""],
                    "--server : doit être l’adresse d’un serveur, telle que https://subguard.example"
                ),
                (["logo", "nowhere"], "service : service absent du catalogue local : lance `subguard search`"),
                (["suggest", ""], "nom : obligatoire"),
                (["premium", "verify", "--transaction-file", "/dev/null"], "non connecté à ce serveur"),
            ] {
                #expect(try says(arguments, status: 1) == "erreur : \(text)\n", "\(arguments)")
            }
            let named = try Client(environment: ["SUBGUARD_CONSENT": "perhaps"]).run("status", "--lang", "fr")
            #expect(named.errors == "erreur : SUBGUARD_CONSENT : doit être true ou false\n")
            #expect(try says("premium").hasPrefix("gratuit\n"))
            #expect(
                try says("account", "erase")
                    == "aucun compte effacé : non connecté\nles abonnements de cet appareil sont conservés\n")
            #expect(try says("account", "sign-out") == "non connecté\n")
        }

        private func says(_ arguments: [String], status: Int32) throws -> String {
            let outcome = try device.run(arguments)
            #expect(outcome.status == status, "\(outcome)")
            return outcome.errors
        }
    }
}
