import SubGuardContract
import SubGuardDomain

/// What a fault or a problem of the API means, by its code. The API's own sentences are English and say more; a page in
/// another language says these instead.
extension Sentence {
    static func fault(_ code: FaultCode) -> Sentence {
        switch code {
        case .required: "Must be given."
        case .unknownField: "The input has no such field."
        case .unknownParameter: "There is no such parameter."
        case .invalidType: "Has the wrong type."
        case .outOfRange: "Is out of range."
        case .invalidFormat: "Has the wrong format."
        case .unknownValue: "Is none of the allowed values."
        case .duplicate: "Occurs twice."
        case .invalidID: "Must be a UUID."
        case .invalidTimestamp: "Must be an instant."
        case .timestampOutOfRange: "Is too far from now."
        case .invalidDay: "Must be a day as YYYY-MM-DD."
        case .invalidURL: "Is not a link that may be opened."
        case .invalidAmount: "Must be a decimal number."
        case .tooManyDecimals: "Has too many decimals."
        case .unknownCurrency: "Is not a currency."
        case .unknownCycle: "Is not a billing cycle."
        case .invalidUserID: "Is not the hash of a user id."
        case .invalidCursor: "The list has changed; start again."
        case .invalidCharacters: "Has forbidden characters."
        case .blank: "Must contain a visible character."
        case .invisibleCharacters: "Has invisible characters."
        case .tooManyMarks: "Has too many marks on a letter, or flags in a row."
        case .invalidUTF8: "The file is not UTF-8."
        case .unterminatedQuote: "A quoted field does not end."
        case .misplacedQuote: "A quotation mark is inside a field."
        case .wrongFieldCount: "The row has too many or too few fields."
        case .notFound: "Does not exist."
        case .conflict: "It is in conflict with what is stored."
        case .sameItem: "Is the item itself."
        case .idTaken: "Another item has this id."
        case .tooManyAliases: "The item has the maximum number of aliases."
        case .notHeld: "You do not hold this permission."
        case .notInFuture: "Must be in the future."
        case .builtIn: "A built-in role cannot be changed."
        case .premiumRequired: "Requires premium."
        }
    }

    /// Nil for problems that no page of the console can cause.
    static func problem(_ code: ProblemCode) -> Sentence? {
        switch code {
        case .malformedRequest, .malformedPath, .malformedQuery, .malformedJSON: "The request cannot be read."
        case .forbidden: "Your role may not do this."
        case .notFound: "There is nothing at this address."
        case .methodNotAllowed: "This address has no such form."
        case .conflict, .slugTaken, .idTaken: "It is in conflict with what is stored."
        case .roleInUse: "A token has this role."
        case .lastOwner: "The last owner must remain."
        case .alreadyDecided: "It was approved or rejected before."
        case .requestRunning: "The form is still being processed."
        case .answerLost: "It was carried out before."
        case .preconditionFailed: "It was changed meanwhile."
        case .bodyTooLarge: "The file or form is too large."
        case .uriTooLong: "The address is too long."
        case .unsupportedMediaType, .unsupportedContentCoding: "The kind of file is not accepted."
        case .validationFailed: "A value is not accepted."
        case .idempotencyKeyReused: "The form was sent before."
        case .rateLimited: "Too many requests; wait a little."
        case .notReady, .overloaded, .storageUnavailable, .handlingTimeout: "The server is busy; try again soon."
        case .storageFull: "The disk is full."
        case .internalError: "The server failed; its log says why."
        default: nil
        }
    }

    /// The name of a job that servers share; nil for one without words.
    static func job(_ name: String) -> Sentence? {
        switch name {
        case "alert rules": "Alert rules"
        case "rates": "Exchange rates"
        case "weekly digest": "Weekly digest"
        case "purge clock": "Check of the clock before purges"
        case "tombstone purge": "Purge of deleted items"
        case "logo collection": "Removal of unused logos"
        case "idempotency purge": "Purge of stored answers"
        case "console session purge": "Purge of ended sessions"
        case "event purge": "Purge of old events"
        case "event block joining": "Joining of stored events"
        case "figure purge": "Purge of old figures"
        case "account purge": "Purge of ended accounts"
        case "crash purge": "Purge of old crash reports"
        case "ranking refresh": "Refresh of the ranking"
        case "analytics erasure": "Erasure of users’ events"
        default: nil
        }
    }
}

/// What deliveries of alerts say when they fail.
extension ConsoleWords {
    /// Why a delivery failed, from the English text that is stored. Nil for a text of a library or of the other server,
    /// which is shown as it is: it is what one searches for.
    func deliveryError(_ stored: String) -> String? {
        guard language != .english else { return stored }
        guard let sentence = sentence(saying: stored) else {
            return stored.wholeMatch(of: /HTTP [0-9]{3}( [a-z_]+)?/) == nil ? nil : stored
        }
        let values = sentence.values.map { deliveryError($0.text) ?? $0.text }
        return said(Sentence(pattern: sentence.pattern, values: values.map { .text($0) }))
    }
}
