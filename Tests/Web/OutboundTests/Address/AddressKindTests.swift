import Outbound
import Testing

@Suite struct AddressKindTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.0", "100.63.255.255",
        "100.128.0.0", "169.253.255.255", "223.255.255.255", "2606:4700::1111", "2a00::1", "2003::1",
    ])
    func knowsAddressesOfTheInternet(_ text: String) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == .global)
    }

    @Test(arguments: [
        "10.0.0.1", "10.255.255.255", "127.0.0.1", "127.255.255.254", "172.16.0.0", "172.31.255.255",
        "192.168.1.1", "100.64.0.0", "100.127.255.255", "::1", "fc00::1", "fdff::1",
    ])
    func knowsTheOperatorsOwnNetworks(_ text: String) throws {
        #expect(AddressKind(try #require(IPAddress(text))) == .ownNetwork)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.0", "192.0.0.8", "192.0.2.1", "192.88.99.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::2", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378::1", "2001:2::1", "2001:db8::1", "2002:7f00:1::1",
        "3fff::1", "5f00::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "4000::1",
    ])
    func knowsWhatNobodyIsReachedAt(_ text: String) throws {
        guard case .special = AddressKind(try #require(IPAddress(text))) else {
            Issue.record("\(text) passes")
            return
        }
    }
}
