package import Foundation
package import JSONWire
package import SubGuardDomain

extension JSONWriter {
    /// Writes an id in lower case.
    package mutating func string(_ id: UUID) { string(ascii: 36, id.writeLowercased) }

    /// Writes an instant as RFC 3339 in UTC.
    package mutating func string(_ instant: UTCInstant) {
        string(ascii: UTCInstant.rfc3339Bytes, instant.writeRFC3339)
    }
}
