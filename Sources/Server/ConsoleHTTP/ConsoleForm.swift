import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardContract
import SubGuardDomain

/// The fields that a form of the console sends. A form with a field too many, too few or twice is not one of the
/// console's: it is refused before anything is read from it, so that a missing hidden field never switches a check off.
struct FormShape: Sendable {
    private var required: Set<String>
    private var optional: Set<String>
    /// Of these, a form has exactly one: the buttons that may send it.
    private var choices: Set<String>
    private var repeated: Set<String>
    /// Names that a number follows: `name_0`.
    private var numbered: Set<String>
    let isMultipart: Bool
    /// Whether the form belongs to a list, whose address stands in hidden fields `list_…`. The declared query of the
    /// list reads them.
    private let hasList: Bool
    /// Names of files, each at most once, unless it is repeated.
    private var files: Set<String>

    /// - Parameters:
    ///   - required: exactly once.
    ///   - optional: at most once, such as checkboxes and the buttons that may send the form.
    ///   - choices: some of `optional`, exactly one of which must be there.
    ///   - repeated: any number of times.
    ///   - numbered: at most once for each number, except that those of `repeated` may be repeated.
    init(
        _ required: [String] = [], optional: [String] = [], choosing choices: [String] = [], repeated: [String] = [],
        numbered: [String] = [], files: [String] = [], ofList hasList: Bool = false
    ) {
        self.required = Set(required)
        self.optional = Set(optional)
        self.choices = Set(choices)
        self.repeated = Set(repeated)
        self.numbered = Set(numbered)
        isMultipart = !files.isEmpty
        self.files = Set(files)
        self.hasList = hasList
    }

    /// The inputs of a declared form and its hidden fields. Browsers send every input except an empty checkbox.
    init(_ form: DeclaredForm, _ hidden: [String], optional more: [String] = [], ofList hasList: Bool = false) {
        self.init(hidden, optional: more, ofList: hasList)
        for field in form.fields {
            switch form.declaration[field.name]?.kind {
            case .choices: repeated.insert(field.name)
            case .boolean: optional.insert(field.name)
            case .other, nil: break
            default: required.insert(field.name)
            }
            if field.isOpen { optional.insert(OpenChoice.typedName(field.name)) }
        }
    }

    /// Throws 422 with a sentence that names the field.
    func check(_ form: FormFields) throws(HTTPFailure) {
        var counts: [String: Int] = [:]
        for field in form.fields {
            counts[field.name, default: 0] += 1
            guard isKnown(field.name) else {
                throw Self.failure("The form has the unknown field \(String(field.name.prefix(40))).")
            }
        }
        for name in required.sorted() where counts[name] == nil {
            throw Self.failure("The form lacks the field \(name).")
        }
        let chosen = choices.filter { counts[$0] != nil }.sorted()
        if let first = chosen.first, chosen.count > 1 {
            throw Self.failure("The form has the field \(first) beside another that excludes it.")
        }
        if let missing = choices.min(), chosen.isEmpty { throw Self.failure("The form lacks the field \(missing).") }
        for field in form.fields where counts[field.name] ?? 0 > 1 && !mayRepeat(field.name) {
            throw Self.repeats(field.name)
        }
    }

    static func repeats(_ name: String) -> HTTPFailure {
        failure("The form has the field \(String(name.prefix(40))) more than once.")
    }

    /// For a value of a hidden field that the console did not write.
    static let foreign = HTTPFailure.invalid("form", .invalidFormat, "The form is not one of the console.")

    /// Throws 422 for files of another name, or for two where the form takes one.
    func check(_ form: MultipartForm) throws(HTTPFailure) {
        try check(form.texts)
        var found: Set<String> = []
        for file in form.files {
            guard files.contains(file.name) else {
                throw Self.failure("The form has the unknown field \(String(file.name.prefix(40))).")
            }
            guard found.insert(file.name).inserted || repeated.contains(file.name) else {
                throw Self.repeats(file.name)
            }
        }
    }

    private func isKnown(_ name: String) -> Bool {
        required.contains(name) || optional.contains(name) || repeated.contains(name)
            || hasList && name.hasPrefix("list_")
            || stem(name).map { numbered.contains($0) } ?? false
    }

    private func mayRepeat(_ name: String) -> Bool {
        repeated.contains(name) || stem(name).map { repeated.contains($0) } ?? false
    }

    /// `name` of `name_12`.
    private func stem(_ name: String) -> String? {
        guard let mark = name.lastIndex(of: "_"), let number = Int(name[name.index(after: mark)...]),
            (0..<1000).contains(number)
        else { return nil }
        return String(name[..<mark])
    }

    private static func failure(_ sentence: Sentence) -> HTTPFailure {
        HTTPFailure(.validationFailed, sentence + " Open its page again and send it from there.")
    }
}

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
