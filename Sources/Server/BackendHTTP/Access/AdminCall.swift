package import Foundation
package import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
package import ServerAccess
import SubGuardContract
import SubGuardDomain

/// One admin call: a request of the API, or a form of the console. The function that carries it out takes the call
/// beside its input and does not know which of the two it is.
package struct AdminCall: Sendable {
    /// The version that the caller has seen, which alone may be changed.
    package enum Version: Sendable {
        /// The one of `If-Match` and `If-None-Match`, if the request has them.
        case ofHead
        /// The one that a form began with.
        case revision(Int64)
        /// The entity tag, without quotes, of the list that a form began with.
        case tag(String)
        case any
    }

    let actor: Actor
    /// The request of the API, or of the form. Its client pays for what the call does.
    let request: Request
    private let subject: UUID?
    private let version: Version

    /// - Parameter subject: the id of what is changed, unless it is the first parameter of the path.
    package init(_ request: Request, by actor: Actor, on subject: UUID? = nil, version: Version = .ofHead) {
        self.request = request
        self.actor = actor
        self.subject = subject
        self.version = version
    }

    /// The id of what is changed.
    package func id() throws -> UUID { try subject ?? request.parameters.uuid() }

    /// The revision that may be changed, to be compared again inside the transaction; nil if any may be.
    ///
    /// - Parameter current: the stored revision. It is read only for `If-Match` and `If-None-Match`.
    ///
    /// Throws 412 if they do not match, and what `current` throws.
    func revision(current: () throws -> Int64) throws -> Int64? {
        switch version {
        case .ofHead: try EntityTag.matchedRevision(of: request, current: current)
        case .revision(let revision): revision
        case .tag, .any: nil
        }
    }

    /// Whether the caller says which version may be changed.
    var namesVersion: Bool {
        switch version {
        case .ofHead: request.head.contains(.ifMatch)
        case .revision, .tag: true
        case .any: false
        }
    }

    /// Throws 412 if the version that may be changed is not the one with this tag.
    func requireMatch(_ tag: EntityTag) throws {
        let matches =
            switch version {
            case .ofHead: tag.satisfiesMatch(of: request.head, isWrite: true) && !tag.matchesNone(of: request.head)
            case .tag(let text): text == tag.opaque
            case .revision, .any: true
            }
        guard matches else { throw BackendError.preconditionFailed(currentRevision: nil) }
    }
}

/// How HTTP carries the result of an admin call.
struct AnswerForm<Answer>: Sendable {
    let response: @Sendable (Answer, Request) throws -> Response

    init(_ response: @escaping @Sendable (Answer, Request) throws -> Response) { self.response = response }

    /// A document with an entity tag. The answer to a POST is not compressed, so that it can be stored and repeated.
    static func document(_ document: @escaping @Sendable (Answer) -> RenderedDocument) -> AnswerForm {
        AnswerForm { answer, request in
            let document = document(answer)
            return request.method == .post ? document.plainResponse : document.wholeResponse(for: request)
        }
    }

    /// The same for something new, with its address.
    func created(at location: @escaping @Sendable (Answer) -> String) -> AnswerForm {
        AnswerForm { answer, request in
            var response = try response(answer, request)
            response.status = .created
            response.fields[.location] = location(answer)
            return response
        }
    }

    /// The same, or 204 without an answer.
    var orEmpty: AnswerForm<Answer?> {
        AnswerForm<Answer?> { answer, request in
            guard let answer else { return .empty(.noContent) }
            return try response(answer, request)
        }
    }
}

extension AnswerForm where Answer == Void {
    /// 204.
    static var empty: AnswerForm { AnswerForm { _, _ in .empty(.noContent) } }
}

extension AnswerForm {
    /// An object of the contract, without an entity tag.
    static func object(
        _ status: HTTPResponse.Status = .ok, _ object: @escaping @Sendable (Answer) -> some WireObject
    ) -> AnswerForm {
        AnswerForm { answer, _ in object(answer).response(status) }
    }
}

extension AdminGate {
    /// Binds a function without a body.
    func binding<Answer>(
        _ api: APIOperation, _ form: AnswerForm<Answer>,
        _ carryOut: @escaping @Sendable (AdminCall) throws -> Answer
    ) -> RouteBinding {
        binding(api) { request, actor in
            try form.response(try carryOut(AdminCall(request, by: actor)), request)
        }
    }

    /// Binds a function of a body. One that declares no required field may be left out.
    func binding<Body: WireObject, Answer>(
        _ api: APIOperation, maximumBodyBytes: Int = 65_536, _ form: AnswerForm<Answer>,
        _ carryOut: @escaping @Sendable (Body, AdminCall) throws -> Answer
    ) -> RouteBinding {
        let isOptional = api.description.body?.isRequired == false
        return binding(api, maximumBodyBytes: maximumBodyBytes) { request, actor in
            let body =
                isOptional && request.body.isEmpty
                ? try Body(body: [:]) : try Body(body: request, maximumBytes: maximumBodyBytes)
            return try form.response(try carryOut(body, AdminCall(request, by: actor)), request)
        }
    }
}
