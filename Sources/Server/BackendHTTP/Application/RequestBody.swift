import HTTPServer
import HTTPWire
import JSONWire
import SubGuardContract
import SubGuardDomain

/// Reading of JSON bodies: coding and syntax. ``HeadRules`` has checked the media type.
enum RequestBody {
    /// The bytes of a JSON body, coding undone. Throws 413, 415.
    static func jsonBytes(_ request: Request, maximumBytes: Int) throws(HTTPFailure) -> [UInt8] {
        try ContentCoding.decodedBody(of: request, maximumBytes: maximumBytes)
    }

    /// Values in one body that is read as a tree. The largest that clients send, a list of roles, has some 600.
    private static let maximumValues = 20_000

    /// A JSON body that must be an object, as a tree: for bodies that are small. Throws 400, 413, 415, 422.
    static func object(_ request: Request, maximumBytes: Int) throws(HTTPFailure) -> JSONObject {
        let bytes = try jsonBytes(request, maximumBytes: maximumBytes)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes, maximumValues: maximumValues)
        } catch {
            throw HTTPFailure(error)
        }
        guard let object = value.objectValue else {
            throw HTTPFailure.invalid("#", .invalidType, "The body must be an object.")
        }
        return object
    }

    /// Reads a body's fields and turns what is wrong with them into 422.
    static func read<Value>(_ body: () throws(FaultList) -> Value) throws(HTTPFailure) -> Value {
        do throws(FaultList) {
            return try body()
        } catch {
            throw .invalid(error)
        }
    }
}
