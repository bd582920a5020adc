import Backend
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardContract
import SubGuardDomain

/// The result of a form that a page must show.
enum FormOutcome<Answer> {
    case done(Answer)
    /// Not accepted: the page shows why, with what was typed.
    case refused(FormFaults, HTTPResponse.Status)
    /// Another version is stored now.
    case lostRace
}

extension ConsoleRoutes {
    /// Carries out a call of the API for a session: the same function that answers its requests, with the permission
    /// that the operation declares. Throws what is not about the input: 403, 404, 429, failures of the server, and
    /// `request_running`.
    ///
    /// - Parameters:
    ///   - subject: the id of what is changed, unless it is the first parameter of the form's path.
    ///   - version: the version that the form began with.
    ///   - fields: the pointer of the field that a problem without faults concerns.
    func attempt<Answer>(
        _ operation: APIOperation, on subject: UUID? = nil, version: AdminCall.Version = .any, for visit: ConsoleVisit,
        fields: [ProblemCode: String] = [.slugTaken: "#/slug"], _ carryOut: (AdminCall) throws -> Answer
    ) throws -> FormOutcome<Answer> {
        let call = try gate.call(operation, on: subject, version: version, for: visit)
        do {
            return .done(try carryOut(call))
        } catch {
            // The first request is being carried out: a page of its own says so.
            guard let failure = HTTPFailure(error), failure.code != .requestRunning else { throw error }
            switch failure.code.status {
            case 412: return .lostRace
            case 400, 403, 409, 413, 415, 422:
                var faults = Array(failure.faults)
                if faults.isEmpty, let pointer = fields[failure.code] {
                    faults = [Fault(pointer, .duplicate, failure.sentence)]
                }
                return .refused(FormFaults(faults, detail: failure.sentence, code: failure.code), .of(failure.code))
            default: throw error
            }
        }
    }

    /// Carries out a form: what was done leads to another page, and what was refused shows the form again.
    ///
    /// - Parameters:
    ///   - done: the page that says so.
    ///   - refused: the form with the faults; an error page if nil.
    ///   - lostRace: another version is stored now.
    ///   - gone: what the form concerns is no longer there.
    func submit<Answer>(
        _ operation: APIOperation, on subject: UUID? = nil, version: AdminCall.Version = .any, for visit: ConsoleVisit,
        fields: [ProblemCode: String] = [.slugTaken: "#/slug"], _ carryOut: (AdminCall) throws -> Answer,
        done: (Answer) throws -> HTMLLink, refused: ((FormFaults) throws -> any ConsolePage)? = nil,
        lostRace: () throws -> Response = {
            throw HTTPFailure(.preconditionFailed, "The item was changed meanwhile.")
        },
        gone: ((any Error) throws -> Response) = { throw $0 }
    ) throws -> Response {
        let outcome: FormOutcome<Answer>
        do {
            outcome = try attempt(operation, on: subject, version: version, for: visit, fields: fields, carryOut)
        } catch let error where HTTPFailure(error)?.code == .notFound {
            return try gone(error)
        }
        switch outcome {
        case .done(let answer): return ConsoleResponse.seeOther(try done(answer))
        case .refused(let faults, let status):
            guard let refused else { throw HTTPFailure.refusal(faults, status) }
            return visit.show(try refused(faults), status)
        case .lostRace: return try lostRace()
        }
    }
}

extension AdminCall.Version {
    /// The revision in a hidden field; any without one. Throws 422 for a text that the console did not write.
    init(_ form: FormFields, _ name: String = "revision") throws(HTTPFailure) {
        guard let text = form[name] else {
            self = .any
            return
        }
        guard let revision = Int64(text) else {
            throw FormShape.foreign
        }
        self = .revision(revision)
    }
}
