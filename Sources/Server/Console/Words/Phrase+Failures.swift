/// What checks of readiness and deliveries of alerts say when they fail.
extension ConsoleWords {
    /// Why a delivery failed, from the English text that is stored. Nil for a text of a library or of the other server,
    /// which is shown as it is: it is what one searches for.
    func deliveryError(_ stored: String) -> String? {
        guard language != .english else { return stored }
        for phrase in Phrase.deliveryErrors {
            let parts = phrase.english.split(separator: "%1", omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                if phrase.english == stored { return self[phrase] }
                continue
            }
            guard stored.hasPrefix(parts[0]), stored.hasSuffix(parts[1]),
                stored.count >= parts[0].count + parts[1].count
            else { continue }
            let value = String(stored.dropFirst(parts[0].count).dropLast(parts[1].count))
            return text(phrase, deliveryError(value) ?? value)
        }
        return stored.wholeMatch(of: /HTTP [0-9]{3}( [a-z_]+)?/) == nil ? nil : stored
    }
}

extension Phrase {
    /// The English side is what `/readyz` says.
    static let readinessSentences = [
        Phrase("The database does not respond.", "La base ne répond pas."),
        Phrase("The server is shutting down.", "Le serveur s’arrête."),
        Phrase(
            "The storage is full: data from devices is rejected.",
            "Le stockage est plein : les données des appareils sont refusées."),
        Phrase(
            "Failing check: %1. The database does not respond.", "Contrôle en échec : %1. La base ne répond pas."),
        Phrase(
            "Failing check: %1. The database needs migration.", "Contrôle en échec : %1. La base doit être migrée."),
        Phrase(
            "Failing check: %1. A newer version has migrated the database.",
            "Contrôle en échec : %1. Une version plus récente a migré la base."),
        Phrase(
            "Failing check: %1. A write to the database failed.",
            "Contrôle en échec : %1. Une écriture dans la base a échoué."),
        Phrase(
            "Failing check: %1. The database acknowledges commits too early (synchronous_commit).",
            "Contrôle en échec : %1. La base confirme les transactions trop tôt (synchronous_commit)."),
        Phrase(
            "Failing check: %1. Commits wait for too few standbys (synchronous_standby_names).",
            "Contrôle en échec : %1. Les transactions attendent trop peu de réplicas (synchronous_standby_names)."),
    ]

    /// The English side is what a delivery stores, `%1` a value.
    static let deliveryErrors = [
        Phrase(
            "not tried: the channel is disabled (%1)", "envoi non tenté : le canal est désactivé (%1)"),
        Phrase(
            "withdrawn: the users who reached it were discarded",
            "retiré : les utilisateurs qui l’avaient atteint ont été écartés"),
        Phrase("the name of the target cannot be resolved", "le nom de la cible ne peut pas être résolu"),
        Phrase("the response is too large", "la réponse est trop grande"),
        Phrase(
            "the target lies in a private or loopback range", "la cible est dans une plage privée ou de bouclage"),
        Phrase("the target lies in a special range (%1)", "la cible est dans une plage réservée (%1)"),
        Phrase("without TLS only this machine is allowed", "sans TLS, seule cette machine est permise"),
        Phrase("HTTP 200 without Slack's ok", "HTTP 200 sans le « ok » de Slack"),
        Phrase(
            "HTTP %1: redirects are not followed", "HTTP %1 : les redirections ne sont pas suivies"),
    ]
}
