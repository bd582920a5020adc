package import SubGuardDomain

extension APIOperation {
    /// All codes of problems that the call may return: those implied by its declaration and its own.
    package var problemCodes: [ProblemCode] {
        let own = description.problems
        let codes = codesOfEveryCall + codesOfAccess + codesOfInput + codesOfState + own
        return ProblemCode.allCases.filter(codes.contains)
    }

    private var traits: Traits { description.traits }

    private var codesOfEveryCall: [ProblemCode] {
        var codes: [ProblemCode] = [
            .malformedRequest, .malformedPath, .requestTimeout, .bodyTooLarge, .uriTooLong,
            .expectationFailed, .headerFieldsTooLarge, .methodNotImplemented, .transferCodingNotImplemented,
            .versionNotSupported,
        ]
        if !traits.contains(.immediate) {
            codes += [.internalError, .overloaded, .storageFull, .storageUnavailable, .handlingTimeout]
        }
        if !traits.contains(.unlimited) { codes.append(.rateLimited) }
        return codes
    }

    private var codesOfAccess: [ProblemCode] {
        var codes: [ProblemCode] = []
        if needsCredentials { codes.append(.unauthorized) }
        if permission != nil { codes.append(.forbidden) }
        if needsCredentials, isWrite { codes.append(.crossSite) }
        if traits.contains(.signed) {
            codes += [.ingestSignatureRequired, .ingestSignatureInvalid, .ingestSignatureExpired]
        }
        if traits.contains(.keyed) { codes += [.malformedQuery, .forbidden] }
        return codes
    }

    private var codesOfInput: [ProblemCode] {
        var codes: [ProblemCode] = []
        let readsJSON = refusesBody || description.body?.isJSON == true
        if refusesOtherParameters { codes.append(.malformedQuery) }
        if readsJSON { codes.append(.malformedJSON) }
        if isWrite { codes.append(.unsupportedContentCoding) }
        if isWrite, bodyTypes != .any { codes.append(.unsupportedMediaType) }
        if refusesOtherParameters || readsJSON || isIdempotent { codes.append(.validationFailed) }
        return codes
    }

    private var codesOfState: [ProblemCode] {
        var codes: [ProblemCode] = []
        if path.contains("{") { codes.append(.notFound) }
        if isIdempotent { codes += [.requestRunning, .answerLost, .idempotencyKeyReused] }
        if traits.contains(.ifMatch) { codes.append(.preconditionFailed) }
        return codes
    }

    /// Whether responses have an `ETag`, so that a client can make the request conditional.
    package var isConditional: Bool { method == .get && !traits.contains(.unconditional) }
}
