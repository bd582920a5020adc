import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain

/// Creates the operations of the document and collects the components they reference.
struct OpenAPIAssembly {
    private var schemas = WireComponents()
    private var parameters: JSONObject = [:]
    private var headers: JSONObject = [:]
    private var responses: JSONObject = [:]

    /// The referenced components, by kind and name.
    var components: JSONObject {
        [
            "securitySchemes": OpenAPIParts.securitySchemes, "parameters": .object(parameters.sorted),
            "headers": .object(headers.sorted), "responses": .object(responses.sorted),
            "schemas": .object(JSONObject(schemas.schemas.map { ($0.name, .object($0.schema)) }).sorted),
        ]
    }

    mutating func object(of operation: APIOperation) -> JSONObject {
        let description = operation.description
        var object: JSONObject = [
            "operationId": .string(description.id), "tags": [.string(description.tag.rawValue)],
            "summary": .string(description.summary),
        ]
        if !description.details.isEmpty { object.set("description", .string(description.details)) }
        if operation.needsCredentials {
            object.set("security", [[operation.needsSession ? "SessionToken" : "AccessToken": []]])
        }
        if let permission = operation.permission { object.set("x-permission", .string(permission.rawValue)) }
        let parameters = parameters(of: operation, description)
        if !parameters.isEmpty { object.set("parameters", .array(parameters)) }
        if let body = description.body {
            object.set(
                "requestBody",
                [
                    "description": .string(body.description), "required": .bool(body.isRequired),
                    "content": content(body.contents),
                ])
        }
        object.set("responses", .object(responses(of: operation, description)))
        return object
    }

    private mutating func parameters(
        of operation: APIOperation, _ description: APIOperation.Description
    ) -> [JSONValue] {
        let names = operation.template.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            $0.dropFirst().dropLast()
        }
        var list: [JSONValue] = zip(names, description.holes).map { name, hole in
            let schema = hole.schema ?? WireType<UUID>.givenID.schema(&schemas)
            return [
                "name": .string(String(name)), "in": "path", "required": true, "description": .string(hole.description),
                "schema": .object(schema), "example": hole.example,
            ]
        }
        if let query = description.query { list += query.parameters(&schemas) }
        if operation.isConditional { list.append(shared("IfNoneMatch")) }
        if description.traits.contains(.ifMatch) { list.append(shared("IfMatch")) }
        if operation.isIdempotent { list.append(shared("IdempotencyKey")) }
        if description.traits.contains(.signed) { list.append(shared("IngestSignature")) }
        if description.traits.contains(.keyed) { list += [shared("SentryKey"), shared("SentryAuth")] }
        return list
    }

    private mutating func shared(_ name: String) -> JSONValue {
        parameters.set(name, OpenAPIParts.parameters[name] ?? .null)
        return ["$ref": .string("#/components/parameters/\(name)")]
    }

    private mutating func responses(
        of operation: APIOperation, _ description: APIOperation.Description
    ) -> JSONObject {
        var answers: [(status: Int, response: JSONValue)] = []
        for answer in description.answers {
            let names = headersOfSuccess(operation, description, answer.status) + answer.headers
            var response: JSONObject = [
                "description": .string(answer.description), "headers": .object(headerReferences(names)),
            ]
            if !answer.contents.isEmpty { response.set("content", content(answer.contents)) }
            if !answer.links.isEmpty {
                response.set("links", .object(JSONObject(answer.links.map { ($0.name, $0.object) })))
            }
            answers.append((answer.status, .object(response)))
        }
        if operation.isConditional { answers.append((304, notModified(operation, description))) }
        for (status, codes) in Dictionary(grouping: operation.problemCodes, by: \.status) {
            answers.append((status, problem(status, codes)))
        }
        return JSONObject(answers.sorted { $0.status < $1.status }.map { ("\($0.status)", $0.response) })
    }

    private func headersOfSuccess(
        _ operation: APIOperation, _ description: APIOperation.Description, _ status: Int
    ) -> [APIOperation.Header] {
        var names: [APIOperation.Header] = [.requestID]
        if operation.isConditional, status == 200 { names += [.etag, .vary] }
        names.append(.cacheControl)
        if !description.traits.contains(.unlimited) { names += [.rateLimit, .rateLimitPolicy] }
        if operation.needsCredentials { names.append(.contentTypeOptions) }
        if description.isPaged { names.append(.link) }
        if operation.isIdempotent { names.append(.idempotencyReplayed) }
        return names
    }

    private mutating func headerReferences(_ names: [APIOperation.Header]) -> JSONObject {
        var references: JSONObject = [:]
        for name in names {
            headers.set(name.component, .object(name.schema))
            references.set(name.name, ["$ref": .string("#/components/headers/\(name.component)")])
        }
        return references
    }

    /// References one response component per set of header fields: those of the 200 that a 304 repeats.
    private mutating func notModified(
        _ operation: APIOperation, _ description: APIOperation.Description
    ) -> JSONValue {
        var name = "NotModified"
        var names: [APIOperation.Header] = [.requestID, .etag, .cacheControl, .vary, .rateLimit, .rateLimitPolicy]
        let repeated = description.answers.first { $0.status == 200 }?.headers ?? []
        if operation.needsCredentials {
            name = "Confidential" + name
            names.append(.contentTypeOptions)
        }
        if description.isPaged {
            name += "Page"
            names.append(.link)
        }
        if repeated.contains(.contentDisposition) {
            name += "File"
            names.append(.contentDisposition)
        }
        if repeated.contains(.contentTypeOptions) {
            name += "Image"
            names.append(.contentTypeOptions)
        }
        responses.set(
            name,
            [
                "description": "The `ETag` in `If-None-Match` is still current.",
                "headers": .object(headerReferences(names)),
            ])
        return ["$ref": .string("#/components/responses/\(name)")]
    }

    /// References one response component per set of codes; its name combines their names.
    private mutating func problem(_ status: Int, _ codes: [ProblemCode]) -> JSONValue {
        let name = codes.map(\.componentName).joined(separator: "Or")
        if responses[name] == nil {
            let names = [.requestID, .cacheControl, .contentTypeOptions] + OpenAPIParts.headers(of: status)
            responses.set(
                name,
                [
                    "description": .string(
                        codes.map { "`\($0.rawValue)`: \($0.title). \($0.explanation)" }.joined(separator: "\n\n")),
                    "headers": .object(headerReferences(names)),
                    "content": [
                        "application/problem+json": [
                            "schema": .object(Problem.wire.reference(&schemas)),
                            "examples": .object(
                                JSONObject(codes.map { ($0.rawValue, ["value": OpenAPIParts.example(of: $0)]) })),
                        ]
                    ],
                ])
        }
        return ["$ref": .string("#/components/responses/\(name)")]
    }

    private mutating func content(_ contents: [APIOperation.Content]) -> JSONValue {
        .object(
            JSONObject(
                contents.map { content in
                    (
                        content.type,
                        [
                            "schema": .object(content.schema(&schemas)),
                            "examples": .object(JSONObject(content.examples.map { ($0.name, ["value": $0.value]) })),
                        ]
                    )
                }))
    }
}

extension JSONObject {
    /// The same members, sorted by name.
    fileprivate var sorted: JSONObject { JSONObject(members.sorted { $0.name < $1.name }) }
}

extension APIOperation.Description {
    /// Whether the call returns a page, with a `Link` to the next one.
    fileprivate var isPaged: Bool { query?.names.contains("cursor") == true }
}

extension APIOperation.Link {
    fileprivate var object: JSONValue {
        [
            "operationId": .string(operation),
            "parameters": .object(JSONObject(parameters.map { ($0.name, .string($0.expression)) })),
        ]
    }
}

extension ProblemCode {
    /// The component name, such as `RateLimited` for `rate_limited`.
    fileprivate var componentName: String {
        rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
