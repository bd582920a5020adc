import SubGuardClient
import SubGuardDomain

extension Refusal {
    /// What the client could not do, in the language of the call.
    static func text(_ error: ClientError, _ language: DisplayLanguage) -> String {
        guard language == .french else { return error.description }
        return switch error {
        case .unreachable(let fault): "le serveur est injoignable : \(french(fault))"
        case .untrusted(let fault): "le serveur n'est pas sûr : \(french(fault))"
        case .refused(let status, _, let detail): "le serveur a refusé (\(status)) : \(detail)"
        case .unreadable(let call): "la réponse à \(call) est incompréhensible"
        case .redirected: "le serveur renvoie à une autre adresse, qui n'est pas suivie"
        case .answerTooLarge: "la réponse est trop grande"
        case .cancelled: "interrompu"
        case .notSignedIn: "personne n'est connecté à ce serveur"
        case .sessionEnded: "la session est terminée ; reconnecte-toi"
        case .credentials(let fault): french(fault)
        case .busy: "un autre processus se synchronise"
        case .unsafeLock(let path): "\(path) est un lien ou n'est pas un fichier ; supprime-le"
        case .outOfTime: "la synchronisation a trop duré ; le reste attend la prochaine"
        case .moreLeft: "il attend plus que n'en envoie une synchronisation ; le reste attend la prochaine"
        case .store(let reason): "l'enregistrement a échoué : \(reason)"
        }
    }

    private static func french(_ fault: ConnectionFault) -> String {
        switch fault {
        case .nobodyListens: "rien n'y écoute"
        case .noSuchHost: "cet hôte n'existe pas"
        case .offline: "l'appareil est hors ligne"
        case .noTLS: "on n'y parle pas TLS"
        case .noHTTP: "on n'y parle pas HTTP"
        case .garbled: "sa réponse est altérée"
        case .cut: "la connexion a été coupée"
        case .timedOut: "la réponse n'est pas venue à temps"
        case .unusableAddress: "l'adresse est inutilisable"
        case .other(let reason): reason
        }
    }

    private static func french(_ fault: CertificateFault) -> String {
        switch fault {
        case .unknownAuthority: "son certificat vient d'une autorité que cet appareil ne connaît pas"
        case .selfSigned: "son certificat n'est signé que par lui-même"
        case .otherHost: "son certificat est celui d'un autre hôte"
        case .expired: "son certificat a expiré, ou l'horloge de cet appareil est fausse"
        case .notYetValid: "son certificat n'est pas encore valable, ou l'horloge de cet appareil est fausse"
        case .revoked: "son certificat a été révoqué"
        }
    }

    private static func french(_ fault: CredentialFault) -> String {
        switch fault {
        case .open(let path): "\(path) est lisible par d'autres ; rends-le privé (chmod 600) ou déconnecte-toi"
        case .notOwnFile(let path): "\(path) n'est pas un fichier à toi"
        case .damaged(let path): "\(path) est abîmé ; déconnecte-toi puis reconnecte-toi"
        case .unusable(let reason): reason
        }
    }
}
