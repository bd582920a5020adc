import Foundation
import JSONWire
import TestKit
import Testing

extension ProgramTests {
    @Suite struct DeviceLoadTests {
        private func figures(_ path: String) throws -> JSONObject {
            try #require(try JSONValue.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).objectValue)
        }

        /// An overloaded server rejects some requests with 503. On a slow machine these are the only errors of the run;
        /// event counts remain exact.
        @Test func aHundredDevicesLiveTenDaysAndTheServerCountsEachEventOnce() async throws {
            let installation = try await Installation.migrated()
            _ = try await installation.run("catalogue", "import", StarterCatalogue.path)
            let token = try await installation.makeToken(role: "analyst", name: "devices")
            let server = try await installation.serve(
                variables: ["SUBGUARD_RATE_LIMIT_ENABLED": "false", "SUBGUARD_LOG_LEVEL": "warning"])
            let json = installation.folder.file("devices.json")
            let report = installation.folder.file("devices.html")
            let arguments = [
                "--url", "http://127.0.0.1:\(server.port)", "--devices", "100", "--days", "10", "--duration",
                "8s", "--seed", "5", "--threads", "2", "--p99", "10s", "--json", json, "--server-pid",
                "\(server.process.id)", "--server-store", installation.storePath, "--report", report,
            ]
            let variables = ["SUBGUARD_TOKEN": token]
            func run() async throws -> Installation.Outcome {
                let process = try installation.start(.load, arguments, variables: variables)
                let ending = try await process.ending(withinSeconds: 120)
                return .init(ending: ending, output: process.output, errors: process.errors)
            }
            let outcome = try await run()
            let isOverloaded = outcome.errors.hasPrefix("--errors: more than 0: unusable response: ")
            #expect(outcome.ending == .exited(isOverloaded ? 1 : 0), "\(outcome.output) \(outcome.errors)")
            // No progress line without a terminal.
            #expect(outcome.errorLines.count == (isOverloaded ? 1 : 0))
            let figures = try figures(json)
            let events = try #require(figures["events"]?.objectValue)
            let recorded = try #require(events["recorded"]?.integerValue)
            #expect(recorded > 500)
            #expect(events["lost"]?.integerValue == 0)
            #expect(events["duplicates"]?.integerValue ?? 0 > 0)
            #expect(try Int64(installation.eventIDs().count) == recorded)
            #expect(figures["most_connected"]?.integerValue == 100)
            let routes = try #require(figures["routes"]?.objectValue)
            // The starter catalogue has three pages of 500, which each device reads once.
            let whole = try #require(routes["whole"]?.objectValue?["statuses"]?.objectValue)
            #expect(whole["200"]?.integerValue == 300)
            let revalidations = try #require(routes["revalidation"]?.objectValue?["statuses"]?.objectValue)
            #expect(revalidations["304"]?.integerValue ?? 0 > 0)
            let others = Set((whole.members + revalidations.members).map(\.name)).subtracting(["200", "304"])
            #expect(others.isSubset(of: isOverloaded ? ["503"] : []))
            let dashboard = try #require(figures["dashboard"]?.objectValue)
            #expect(dashboard["total_users"]?.objectValue?["server"]?.integerValue == 100)
            #expect(try String(contentsOfFile: report, encoding: .utf8).contains("revalidation, 3xx"))
            let day = try #require(figures["device_day"]?.objectValue)
            #expect(["processor_us", "store_bytes"].allSatisfy { day[$0]?.isNull == false })

            // A second run with the same devices sends known events, so its new figures are wrong.
            let again = try await run()
            #expect(again.ending == .exited(1))
            #expect(again.errors.contains("wrong counts"))
            #expect(try Int64(installation.eventIDs().count) == recorded)
            try await server.stop()
        }

        @Test func aServerThatDiesAndACatalogueThatChangesCostErrorsAndNoEvent() async throws {
            let installation = try await Installation.migrated()
            _ = try await installation.run("catalogue", "import", StarterCatalogue.path)
            let token = try await installation.makeToken(role: "analyst", name: "devices")
            var variables = ["SUBGUARD_RATE_LIMIT_ENABLED": "false", "SUBGUARD_LOG_LEVEL": "warning"]
            let first = try await installation.serve(variables: variables)
            let json = installation.folder.file("devices.json")
            let load = try installation.start(
                .load,
                [
                    "--url", "http://127.0.0.1:\(first.port)", "--devices", "150", "--days", "12", "--duration",
                    "10s", "--seed", "29", "--json", json,
                ], variables: ["SUBGUARD_TOKEN": token])
            #expect(try await holds { try installation.eventIDs().count > 300 })
            #expect(try await first.stop(signal: SIGKILL) == .killed(signal: SIGKILL))
            variables["SUBGUARD_PORT"] = "\(first.port)"
            let second = try await installation.serve(variables: variables)
            try await installation.importSmallCatalogue()
            #expect(try await load.ending(withinSeconds: 120) == .exited(1))
            let figures = try figures(json)
            // Every recorded event is stored once, and the dashboard agrees; but devices saw errors.
            let failures = try #require(figures["failures"]?.arrayValue)
            #expect(failures.count == 1)
            #expect(failures.first?.stringValue?.hasPrefix("--errors: ") == true, "\(failures)")
            #expect(figures["events"]?.objectValue?["lost"]?.integerValue == 0)
            let recorded = figures["events"]?.objectValue?["recorded"]?.integerValue
            #expect(try Int64(installation.eventIDs().count) == recorded)
            #expect(figures["dashboard"]?.objectValue?["total_users"]?.objectValue?["server"]?.integerValue == 150)
            // Devices with an entity tag received the change, and had no tag afterwards.
            let revalidations = try #require(
                figures["routes"]?.objectValue?["revalidation"]?.objectValue?["statuses"]?.objectValue)
            #expect(revalidations["200"]?.integerValue ?? 0 > 0)
            #expect(revalidations["304"]?.integerValue ?? 0 > 0)
            try await second.stop()
        }

        @Test(
            arguments: [
                (["--devices", "0"], "--devices"), (["--devices", "10", "--days", "0"], "--days"),
                (["--devices", "10", "--rate", "5"], "--rate"), (["--devices", "10", "--ramp"], "--ramp"),
                (["--devices", "10", "--connections", "5"], "--connections"), (["--token", "x"], "--token"),
                (["--devices", "10", "--duration", "1ms"], "--duration"),
                (["--devices", "10", "--p99", "fast"], "--p99"),
            ])
        func namesTheOptionThatIsWrong(_ options: [String], _ named: String) async throws {
            let installation = try Installation()
            let process = try installation.start(.load, options, variables: [:])
            #expect(try await process.ending() == .exited(2))
            #expect(process.errors.contains(named))
        }

        @Test func saysWhenTheSystemDoesNotAllowSoManyDevices() async throws {
            let outcome = try await Installation().run(
                "--url", "http://127.0.0.1:1", "--devices", "100000", program: .load)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains("--devices: 100000 connections"))
        }
    }
}
