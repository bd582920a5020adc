import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Compares the document with the route table.
@Suite struct OpenAPIOperationTests {
    private let file: OpenAPIFile

    init() throws { file = try OpenAPIFile() }

    @Test func describesEveryRouteAndNoOther() {
        let described = file.operations.map { "\($0.method) \($0.path)" }
        let served = APIOperation.all.map { "\($0.method.rawValue) \($0.template)" }
        #expect(Set(served).subtracting(described).sorted() == [], "routes that the document lacks")
        #expect(Set(described).subtracting(served).sorted() == [], "operations that no route answers")
        #expect(described.count == served.count)
    }

    @Test(arguments: APIOperation.all)
    func namesThePermissionAndAsksForATokenExactlyWhereTheRouteDoes(_ route: APIOperation) throws {
        let operation = try operation(route)
        #expect(operation.object["x-permission"]?.stringValue == route.permission?.rawValue)
        let security = operation.object["security"] ?? file.root["security"]
        let schemes = (security?.arrayValue ?? []).flatMap { $0.objectValue?.members.map(\.name) ?? [] }
        #expect(schemes == (route.needsSession ? ["SessionToken"] : route.needsToken ? ["AccessToken"] : []))
        let statuses = Set(operation.responses.map(\.status))
        if route.needsSession { #expect(statuses.contains("401")) }
        // Every call with credentials that may change something rejects requests from pages of other sites with 403.
        let isRefused = route.permission != nil || route.needsCredentials && route.isWrite
        #expect(statuses.isSuperset(of: ["401", "403"]) == isRefused)
    }

    @Test(arguments: APIOperation.all)
    func namesTheMediaTypesThatTheRouteTakes(_ route: APIOperation) throws {
        let operation = try operation(route)
        let statuses = operation.responses.map(\.status)
        #expect(statuses.contains("415") == route.isWrite)
        guard let body = operation.object["requestBody"] else { return }
        let types = try file.resolved(body)["content"]?.objectValue?.members.map(\.name) ?? []
        #expect(!types.isEmpty)
        for type in types { #expect(route.bodyTypes.accepts(type), "\(type)") }
    }

    @Test(arguments: APIOperation.all)
    func declaresEveryHoleOfThePath(_ route: APIOperation) throws {
        let operation = try operation(route)
        let parameters = try operation.parameters.map { try file.resolved($0) }
        let declared = parameters.filter { $0["in"]?.stringValue == "path" }
        let holes = route.template.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
        #expect(declared.compactMap { $0["name"]?.stringValue } == holes)
        #expect(declared.allSatisfy { $0["required"]?.boolValue == true })
    }

    @Test(arguments: APIOperation.all)
    func givesTheRequestIDWithEveryAnswer(_ route: APIOperation) throws {
        for (status, response) in try operation(route).responses {
            let response = try file.resolved(response)
            let header = try #require(response["headers"]?["X-Request-Id"], "\(route.template) \(status)")
            #expect(try file.resolved(header)["required"]?.boolValue == true)
        }
    }

    @Test(arguments: APIOperation.all)
    func givesAnExampleOfEveryBody(_ route: APIOperation) throws {
        let operation = try operation(route)
        let bodies = [operation.object["requestBody"]].compactMap { $0 } + operation.responses.map(\.value)
        for body in bodies {
            for media in try file.resolved(body)["content"]?.objectValue?.members ?? [] {
                #expect(
                    media.value["examples"]?.objectValue?.members.isEmpty == false, "\(route.template) \(media.name)")
            }
        }
    }

    @Test func tellsOperationsApartByTheirID() {
        let ids = file.operations.compactMap { $0.object["operationId"]?.stringValue }
        #expect(ids.count == file.operations.count)
        #expect(Set(ids).count == ids.count)
    }

    @Test func refersToNothingThatIsMissing() throws {
        for object in file.objects where object["$ref"]?.stringValue != nil {
            _ = try file.resolved(.object(object))
        }
    }

    private func operation(_ route: APIOperation) throws -> OpenAPIFile.Operation {
        try #require(file.operations.first { $0.method == route.method.rawValue && $0.path == route.template })
    }
}
