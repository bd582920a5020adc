package import Foundation
import JSONWire
import SubGuardDomain

extension AnalyticsEvent {
    /// The catalogue item that the event names, or nil.
    package var catalogueItemID: UUID? { properties.flatMap(Self.catalogueItemID(in:)) }

    /// The item named in an event's properties as they are stored.
    static func catalogueItemID(in properties: [UInt8]) -> UUID? {
        let id = try? JSONReader.read(properties) { reader throws(JSONError) -> UUID? in
            try reader.beginObject()
            while let key = try reader.nextKey() {
                guard key == "catalogue_item_id" else {
                    try reader.skipValue()
                    continue
                }
                return try reader.readRawString().withDecodedBytes { UUID(strictBytes: $0) }
            }
            return nil
        }
        return id ?? nil
    }
}
