import BackendTestKit
import Foundation
import JSONWire
import SubGuardDomain
import Telemetry
import Testing

@Suite struct CrashReportTests {
    private func report(_ json: String, id: UUID? = nil, shift: Int64 = 0) throws -> CrashReport {
        var scrubber = CrashScrubber()
        let receivedAt = try instant("2026-11-20T10:00:00Z")
        let report = try #require(
            CrashReport(
                event: try JSONValue.parse(Array(json.utf8)), id: id, shiftMilliseconds: shift, receivedAt: receivedAt,
                scrubber: &scrubber))
        // Read without a tree, as it arrives, it is the same.
        let read = CrashReport(
            json: Array(json.utf8)[...], id: id, shiftMilliseconds: shift, receivedAt: receivedAt, scrubber: &scrubber)
        #expect(read == report)
        return report
    }

    private func exception(_ value: String = "v", frames: String = "", more: String = "") -> String {
        #"{"exception":{"values":[{"type":"E","value":"\#(value)","stacktrace":{"frames":[\#(frames)]}}]}\#(more)}"#
    }

    private func frame(_ function: String, line: Int = 1, inApp: Bool = true) -> String {
        #"{"function":"\#(function)","module":"m","lineno":\#(line),"in_app":\#(inApp),"vars":{"x":"1"}}"#
    }

    @Test func keepsOnlyWhatTheTableLists() throws {
        let report = try report(
            #"""
            {"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","platform":"python","user":{"email":"a@b.example"},\#
            "tags":{"t":"1"},
             "breadcrumbs":{"values":[{"message":"b"}]},"extra":{"e":1},"request":{"url":"u"},"server_name":"zoe-mac",
             "contexts":{"os":{"name":"iOS","version":"18.1","kernel_version":"x"},"culture":{"locale":"fr"}},
             "exception":{"values":[{"type":"E","value":"v","thread_id":1,"stacktrace":{"frames":[{"function":"f",\#
            "abs_path":"/x","vars":{"v":"w"}}]}}]}}
            """#)
        #expect(
            String(decoding: report.sample, as: UTF8.self)
                == #"""
                {"platform":"python","exception":{"values":[{"type":"E","value":"v",\#
                "stacktrace":{"frames":[{"function":"f"}]}}]},"contexts":{"os":{"name":"iOS","version":"18.1"}}}
                """#
        )
        #expect(report.id?.lowercased == "9ec79c33-ec99-42ab-8353-589fcb2e04dc")
    }

    @Test func groupsByTypeAndOwnFramesWithoutLines() throws {
        let key = try report(exception(frames: frame("a") + "," + frame("b", line: 7))).groupKey
        #expect(try report(exception("other", frames: frame("a", line: 9) + "," + frame("b"))).groupKey == key)
        let library = frame("c", inApp: false)
        #expect(try report(exception(frames: frame("a") + "," + frame("b") + "," + library)).groupKey == key)
        #expect(try report(exception(frames: frame("a") + "," + frame("d"))).groupKey != key)
        #expect(
            try report(exception(frames: library)).groupKey
                != report(exception(frames: frame("d", inApp: false))).groupKey)
    }

    @Test func groupsByFingerprintFirst() throws {
        let plain = try report(exception(frames: frame("a"))).groupKey
        let named = try report(exception(frames: frame("a"), more: #","fingerprint":["x","{{ default }}"]"#)).groupKey
        #expect(named != plain)
        #expect(try report(exception(frames: frame("a"), more: #","fingerprint":["{{ default }}"]"#)).groupKey == plain)
        #expect(
            try report(exception(frames: frame("b"), more: #","fingerprint":["x"]"#)).groupKey
                == report(#"{"message":"m","fingerprint":["x"]}"#).groupKey)
        #expect(
            try report(exception(frames: frame("b"), more: #","fingerprint":["x","{{default}}"]"#)).groupKey != named)
    }

    @Test func groupsMessagesWithoutTheirNumbers() throws {
        let key = try report(#"{"message":"order 17 of 0x7ffe12 failed"}"#).groupKey
        #expect(try report(#"{"message":"order 2048 of 0x1 failed"}"#).groupKey == key)
        #expect(try report(#"{"message":"order 17 of 0x7ffe12 succeeded"}"#).groupKey != key)
        let template = try report(#"{"logentry":{"message":"user %s","formatted":"user one"}}"#)
        #expect(try report(#"{"logentry":{"message":"user %s","formatted":"user two"}}"#).groupKey == template.groupKey)
        #expect(template.title == "user one")
    }

    @Test func separatesExceptionsWithoutAStackByTheirValue() throws {
        #expect(try report(exception("one 1")).groupKey == report(exception("one 2")).groupKey)
        #expect(try report(exception("one")).groupKey != report(exception("two")).groupKey)
    }

    @Test func takesTheLastExceptionOfAChainAndOldLists() throws {
        let report = try report(#"{"exception":[{"type":"Inner","value":"i"},{"type":"Outer","value":"o\nmore"}]}"#)
        #expect(report.title == "Outer: o")
        #expect(report.level == .error)
        #expect(report.culprit == nil)
    }

    @Test func repairsTimesAndHoldsThemInRange() throws {
        #expect(
            try report(#"{"timestamp":"2026-11-20T08:00:00Z"}"#, shift: 3_600_000).occurredAt.rfc3339
                == "2026-11-20T09:00:00Z")
        #expect(try report(#"{"timestamp":1795165200.25}"#).occurredAt.rfc3339 == "2026-11-20T09:00:00.250Z")
        for odd in [#""2026-11-20T11:00:00Z""#, "null", "1e400", "[]"] {
            #expect(try report(#"{"timestamp":\#(odd)}"#).occurredAt.rfc3339 == "2026-11-20T10:00:00Z", "\(odd)")
        }
        // A report that waited on its device.
        #expect(try report(#"{"timestamp":"2025-01-01T00:00:00Z"}"#).occurredAt.rfc3339 == "2025-01-01T00:00:00Z")
    }

    // MARK: Apple's systems

    /// As sentry-cocoa sends it: addresses of this start of the program, which was loaded at `base`.
    private func cocoa(
        _ offsets: [Int], base: Int = 0x1_0480_0000, debugID: String = "2A5B6C7D-0000-3000-8000-00000000BEEF",
        function: String? = "<redacted>", trace: String = "exception"
    ) -> String {
        let frames = offsets.map { offset in
            let name = function.map { #""function":"\#($0)","# } ?? ""
            return #"{\#(name)"package":"/private/var/containers/Bundle/Application/5F0E/Zoé.app/Subscriptions","#
                + #""image_addr":"0x\#(String(base, radix: 16))","#
                + #""instruction_addr":"0x\#(String(base + offset, radix: 16))","in_app":true}"#
        }
        let stack = #""stacktrace":{"frames":[\#(frames.joined(separator: ","))]}"#
        let threads =
            #""threads":{"values":[{"id":0,"crashed":false,"current":false,"#
            + #""stacktrace":{"frames":[{"function":"idle"}]}},{"id":3,"crashed":true,\#(stack)}]}"#
        let exception =
            #""exception":{"values":[{"type":"EXC_BAD_ACCESS","value":"KERN_INVALID_ADDRESS at 0x10",\#(stack)}]}"#
        let images =
            #""debug_meta":{"images":[{"type":"macho","image_addr":"0x\#(String(base, radix: 16))","#
            + #""image_size":4096000,"debug_id":"\#(debugID)","code_file":"/private/var/Zoé.app/Subscriptions","#
            + #""arch":"arm64"}]}"#
        return #"{"platform":"cocoa","level":"fatal",\#(trace == "exception" ? exception : threads),\#(images)}"#
    }

    @Test func groupsCrashesOfApplesSystemsByOffsetsInTheirImages() throws {
        let first = try report(cocoa([0x4000, 0x1A2B]))
        #expect(try report(cocoa([0x4000, 0x1A2B], base: 0x1_0055_4000)).groupKey == first.groupKey)
        #expect(try report(cocoa([0x4000, 0x1A2C])).groupKey != first.groupKey)
        #expect(
            try report(cocoa([0x4000, 0x1A2B], debugID: "2A5B6C7D-0000-3000-8000-00000000CAFE")).groupKey
                != first.groupKey)
        #expect(first.culprit == "Subscriptions +0x1a2b")
        #expect(
            String(decoding: first.sample, as: UTF8.self).contains(
                #"""
                {"in_app":true,"package":"Subscriptions","image_offset":6699,\#
                "debug_id":"2a5b6c7d-0000-3000-8000-00000000beef","arch":"arm64"}
                """#
            ))
        #expect(!String(decoding: first.sample, as: UTF8.self).contains("Zo"))
    }

    @Test func findsTheImageOfAnAddressWithoutTheSDKsHelp() throws {
        let json = cocoa([0x1A2B]).replacing(
            #""image_addr":"0x104800000","instruction_addr""#, with: #""instruction_addr""#)
        #expect(try report(json).culprit == "Subscriptions +0x1a2b")
        // Outside every image, only its name is known.
        let far = json.replacing(
            #""instruction_addr":"0x104801a2b""#, with: #""instruction_addr":"0xffffffffffffffff""#)
        #expect(try report(far).culprit == "Subscriptions")
    }

    @Test func prefersFunctionNamesToOffsets() throws {
        let named = try report(cocoa([0x1A2B], function: "-[List remove:]"))
        #expect(named.culprit == "Subscriptions in -[List remove:]")
        #expect(try report(cocoa([0x9999], function: "-[List remove:]")).groupKey == named.groupKey)
    }

    @Test func takesTheThreadThatCrashedWhereThereIsNoException() throws {
        let first = try report(cocoa([0x1A2B], trace: "threads"))
        #expect(first.title == "Subscriptions +0x1a2b")
        #expect(try report(cocoa([0x1A2B], base: 0x1_0001_0000, trace: "threads")).groupKey == first.groupKey)
        #expect(try report(cocoa([0x1A2F], trace: "threads")).groupKey != first.groupKey)
        #expect(!String(decoding: first.sample, as: UTF8.self).contains("idle"))
        // An exception without its own stack has that of the crashed thread.
        let bare = #"""
            {"exception":{"values":[{"type":"E"}]},"threads":[{"crashed":true,\#
            "stacktrace":{"frames":[{"function":"f"}]}}]}
            """#
        #expect(try report(bare).culprit == "f")
    }

    @Test func readsASingleExceptionAndAMessageObject() throws {
        let single = try report(
            #"{"exception":{"type":"E","value":"v","stacktrace":{"frames":[{"function":"f","module":"m"}]}}}"#)
        #expect(single.title == "E: v")
        #expect(single.groupKey == (try report(exception(frames: #"{"function":"f","module":"m"}"#)).groupKey))
        let message = try report(#"{"message":{"message":"user %s","formatted":"user one","params":["one"]}}"#)
        #expect(message.title == "user one")
        #expect(
            message.groupKey == (try report(#"{"logentry":{"message":"user %s","formatted":"user two"}}"#).groupKey))
        #expect(try report(#"{"message":{"formatted":"only 12.34"}}"#).title == "only 12.34")
    }

    @Test func prefersTheIDOfTheEnvelope() throws {
        #expect(try report(#"{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}"#, id: makeID(7)).id == makeID(7))
    }

    @Test(arguments: [
        ("1.4.0", true), ("app@1.2.3", true), ("com.example.app@1.2.3+45", true), ("v2", true),
        ("a94a8fe5ccb19ba61c4c0873d391e987982fbbd3", true), ("backend@a94a8fe", true), ("zoe@example.org", false),
        ("zoe@1domain.example", false), ("a@b@1.0", false), ("", false), ("a\nb", false),
        (String(repeating: "a", count: 97), false),
        ("app@v1.2.3", true), ("@myorg/web@1.2.3", true), ("web@main-3f2c1ab", true), ("web@main-af2c1ab", true),
        ("my-app@release-2026.11", true), ("app@2026w48", true), ("com.acme.app@1.2.3:45", true),
        ("app@1.2.3~rc1", true), ("1.2.3~rc1", true), ("app@5.4.0.Final", true), ("app@1.0.0-alpha.beta", true),
        ("app@2026.rc1", true), ("app@V2", true), ("app@1.2.3 (45)", true),
        // Hosts of mail addresses, some with numbers, and what else must not be kept.
        ("zoe@163.com", false), ("zoe@v2.example", false), ("zoe@mail-2.example.org", false),
        ("zoe@example.org-12", false), ("zoe@example.org:45", false), ("zoe@2.xn--p1ai", false),
        ("@zoe@example.org", false), ("@zoe/x@example.org", false), ("@zoe@1.0", false), ("@zoe/x", false),
        ("zoe@localhost", false), ("zoe@web01", false), ("zoe@main", false), ("zoe@", false), ("@", false),
        ("@1.0", false), ("zoe@[192.0.2.1]", false), ("C:/Users/zoe", false), ("zoe%40example.org", false),
    ])
    func tellsReleasesFromMailAddresses(_ release: String, _ isKept: Bool) throws {
        let json = JSONValue.object(JSONObject([("release", .string(release))])).serialized()
        #expect(try report(String(decoding: json, as: UTF8.self)).release == (isKept ? release : nil))
    }
}
