import ArgumentParser
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// Says on standard error why something was refused, and ends with status 1.
enum Refusal {
    static func exit(_ error: DeviceStoreError, arguments: [String]) -> Never {
        let language = language(arguments)
        let text = text(error, language)
        StandardStream.error((language == .french ? "erreur : " : "error: ") + text + "\n")
        if arguments.contains("--json") { put(code: code(error), detail: text) }
        Foundation.exit(1)
    }

    static func exit(_ error: ClientError, arguments: [String]) -> Never {
        let language = language(arguments)
        let text = text(error, language)
        StandardStream.error((language == .french ? "erreur : " : "error: ") + text + "\n")
        if arguments.contains("--json") { put(code: error.code, detail: text) }
        Foundation.exit(1)
    }

    /// For a call that the parser does not understand: its words on standard error, and its status.
    static func exit(usage error: any Error, arguments: [String]) -> Never {
        let status = SubGuard.exitCode(for: error)
        // Help and the version are no refusals; what they print is theirs.
        if status.isSuccess { SubGuard.exit(withError: error) }
        StandardStream.error(SubGuard.fullMessage(for: error) + "\n")
        if arguments.contains("--json") { put(code: "usage", detail: SubGuard.message(for: error)) }
        Foundation.exit(status.rawValue)
    }

    /// Standard output is a document with `--json`, come what may.
    private static func put(code: String, detail: String) {
        var json = JSONWriter()
        json.beginObject()
        json.key("error")
        json.beginObject()
        json.field("code", code)
        json.field("detail", detail)
        json.endObject()
        json.endObject()
        StandardStream.output(String(decoding: json.bytes, as: UTF8.self) + "\n")
    }

    /// A stable word for scripts.
    private static func code(_ error: DeviceStoreError) -> String {
        switch error {
        case .notFound: "not_found"
        case .ambiguous: "ambiguous"
        case .invalid(let fault): fault.code.rawValue
        case .premiumRequired: "premium_required"
        case .duplicate: "duplicate"
        case .refusedRows: "refused_rows"
        case .damagedBackup: "damaged_backup"
        case .wrongPassphrase: "wrong_passphrase"
        case .passphraseRequired: "passphrase_required"
        case .tooNew: "too_new"
        case .cancelled: "cancelled"
        case .storage: "storage"
        }
    }

    /// As the flags say, which the parser has not handed out any more.
    private static func language(_ arguments: [String]) -> DisplayLanguage {
        for (index, argument) in arguments.enumerated() {
            if argument == "--lang", index + 1 < arguments.count,
                let language = DisplayLanguage(rawValue: arguments[index + 1])
            {
                return language
            }
            if argument.hasPrefix("--lang="), let language = DisplayLanguage(rawValue: String(argument.dropFirst(7))) {
                return language
            }
        }
        return Session.language(ProcessInfo.processInfo.environment)
    }

    static func text(_ error: DeviceStoreError, _ language: DisplayLanguage) -> String {
        guard language == .french else { return error.description }
        switch error {
        case .notFound(let entity, let id): return "\(name(entity)) \(id) n'existe pas"
        case .ambiguous(_, let id, let candidates):
            return
                (["\(id) est ambigu ; donner plus de l'identifiant"]
                + candidates.map { "  \($0.id.lowercased)  \($0.name)" }).joined(separator: "\n")
        case .invalid(let fault): return "\(fault.pointer) : \(detail(fault))"
        case .premiumRequired(.unlimitedSubscriptions):
            return "la version gratuite tient \(PremiumGate.freeSubscriptions) abonnements ; au-delà il faut premium"
        case .premiumRequired(.customCategories): return "category : les catégories personnelles demandent premium"
        case .premiumRequired(.export): return "cet export demande premium ; l'export JSON et la sauvegarde sont libres"
        case .duplicate(let entity, let id): return "\(name(entity)) \(id) existe déjà"
        case .refusedRows(let rows):
            return
                (["\(rows.count) lignes ne peuvent être importées ; rien ne l'a été"]
                + rows.map { "  ligne \($0.row) : \($0.fault.pointer) : \(detail($0.fault))" })
                .joined(separator: "\n")
        case .damagedBackup(let reason): return "la sauvegarde est inutilisable : \(reason)"
        case .wrongPassphrase: return "la phrase de passe est fausse"
        case .passphraseRequired: return "la sauvegarde est scellée ; il faut sa phrase de passe"
        case .tooNew(let what):
            switch what {
            case "the store": return "la base vient d'une version plus récente"
            case "the file": return "le fichier vient d'une version plus récente"
            default: return "la sauvegarde vient d'une version plus récente"
            }
        case .cancelled: return "interrompu ; rien n'a changé"
        case .storage(let what): return "la base est inutilisable : \(what)"
        }
    }

    private static func name(_ entity: DeviceStoreError.Entity) -> String {
        switch entity {
        case .subscription: "l'abonnement"
        case .occurrence: "l'échéance"
        case .person: "la personne"
        case .group: "le groupe"
        case .expense: "la dépense"
        case .transaction: "la transaction"
        case .budget: "le budget"
        case .price: "le prix"
        }
    }

    /// The rule in French where its code says enough, else the sentence of the engine.
    private static func detail(_ fault: Fault) -> String {
        switch fault.code {
        case .required: "obligatoire"
        case .outOfRange: "hors des limites autorisées"
        case .tooManyDecimals: "plus de décimales que la devise n'en a"
        case .invalidAmount: "doit être un nombre décimal tel que 13.49"
        case .unknownCurrency: "doit être le code d'une devise, tel que EUR"
        case .invalidCharacters: "contient des caractères de contrôle"
        case .duplicate: "figure deux fois"
        case .premiumRequired: "demande premium"
        default: fault.detail
        }
    }
}
