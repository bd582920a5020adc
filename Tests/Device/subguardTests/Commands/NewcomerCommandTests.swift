import Foundation
import JSONWire
import TestKit
import Testing

/// What the commands say to somebody who uses them for the first time.
@Suite struct NewcomerCommandTests {
    @Test func whatIsPausedHasNoNextCharge() throws {
        let client = try Client()
        let id = try client.add("Canal “+”")
        #expect(try client.run("show", id).output.contains("2026-11-25"))
        let paused = try client.run("pause", id)
        #expect(paused.status == 0 && paused.output.contains("  –  paused"), "\(paused)")
        #expect(try !client.run("list").output.contains("2026-"))
        #expect(try !client.run("show", id).output.contains("2026-11-25"))
        // Scripts have the day on which it would be charged.
        #expect(try client.json("show", id)["next_billing_on"]?.stringValue == "2026-11-25")
        // With an end, the next charge is known.
        #expect(try client.run("pause", id, "--until", "2026-11-30").output.contains("2026-12-25"))
        #expect(try client.run("list").output.contains("2026-12-25"))
    }

    @Test func aLineWithTwoAmountsIsRefused() throws {
        let client = try Client()
        for line in [
            "Canal3 25,99 € monthly 5", "Canal3 25,99 monthly 5 €", "Canal3 25.99€ 5", "Le Monde €12.50 13,49 €/mois",
        ] {
            let added = try client.run("add", line)
            #expect(added.status == 1 && added.errors.contains("Has two amounts."), "\(line): \(added)")
        }
        let french = try client.run("add", "Canal3 25,99 € mensuel 5", "--lang", "fr")
        #expect(french.errors.contains("A deux montants."), "\(french)")
        #expect(try client.json("list") == .array([]))
        for (line, name) in [("Zone 365 13.49 €/month", "Zone 365"), ("Studio 54 5 €/month", "Studio 54")] {
            #expect(try client.json("add", line)["name"]?.stringValue == name)
        }
        #expect(
            try client.json("add", "Zoé 3.11 5 €/month", "--name", "Zoé 3.11")["name"]?.stringValue == "Zoé 3.11")
    }

    @Test func anotherCycleKeepsTheNextCharge() throws {
        let client = try Client()
        let leap = try client.add("Leap", "--cycle", "yearly", next: "2024-02-29")
        #expect(try client.json("show", leap)["next_billing_on"]?.stringValue == "2027-02-28")
        let edited = try client.json("edit", leap, "--cycle", "monthly")
        #expect(edited["next_billing_on"]?.stringValue == "2027-02-28")
        // Where an earlier month is long enough, the day of the month stays.
        let end = try client.add("End", next: "2026-10-31")
        #expect(try client.json("edit", end, "--cycle", "quarterly")["next_billing_on"]?.stringValue == "2026-11-30")
        #expect(try client.json("edit", end, "--cycle", "monthly")["next_billing_on"]?.stringValue == "2026-11-30")
        let coming = try client.json("upcoming", "--days", "70")
        #expect(coming.each("billing_on") == ["2026-11-30", "2026-12-31"])
    }

    @Test func aListIsWholeWithoutATerminal() throws {
        let client = try Client()
        let name = "Water softener with a name of more than eighty columns, because of “Zoé & O'Neil” and others"
        _ = try client.add(name, "--category", "health")
        #expect(try client.run("list").output.contains(name))
        #expect(try client.run("list").output.contains("Health"))
        let shown = try Terminal.output(of: client, ["list"])
        #expect(!shown.contains(name) && shown.contains("Water softener"))
    }

    @Test func anAmountNamesItsCurrency() throws {
        let client = try Client()
        let booked = try client.json(
            "transactions", "add", "--title", "Café", "--amount", "12,34 €", "--on", "2026-11-10", "--type", "expense")
        #expect(booked["amount"]?.stringValue == "12.34" && booked["currency"]?.stringValue == "EUR")
        for name in ["Ana", "Zoë “Ω” O'Neil"] { _ = try client.id("people", "add", "--name", name) }
        _ = try client.id("groups", "add", "--name", "Flat", "--members", "me,Ana")
        let expense = ["expenses", "add", "--group", "Flat", "--title", "x", "--paid-by", "me", "--on", "2026-11-10"]
        let added = try client.json(expense + ["--amount", "CHF 66.60"])
        #expect(added["amount"]?.stringValue == "66.60" && added["currency"]?.stringValue == "CHF")
        let booking = ["transactions", "add", "--title", "x", "--on", "2026-11-10", "--type", "income"]
        for arguments in [expense, booking] {
            let refused = try client.run(arguments + ["--amount", "5"])
            #expect(refused.status == 64 && refused.errors.contains("--currency"), "\(refused)")
            #expect(try client.run(arguments + ["--amount", "5 €", "--currency", "CHF"]).status == 1)
        }
        #expect(try client.json("people", "list").each("initials").contains("ZΩ"))
    }

    @Test func helpSaysWhereNamesAreTaken() throws {
        let client = try Client()
        for command in [["edit"], ["delete"], ["share"], ["show"], ["expenses", "add"], ["groups", "delete"]] {
            let help = try client.run(command + ["--help"]).output.replacing(/\s+/, with: " ")
            #expect(!help.contains("'s id, or its first 8"), "\(command): \(help)")
        }
        let help = try client.run("edit", "--help").output.replacing(/\s+/, with: " ")
        #expect(help.contains("none for never") && help.contains("default") && help.contains("no-cancel_by"))
        let share = try client.run("share", "--help").output.replacing(/\s+/, with: " ")
        #expect(share.contains("Names of the other people"))
    }

    @Test func whatIsDeletedIsNamed() throws {
        let client = try Client()
        _ = try client.add("Netflix “2”")
        #expect(try client.run("delete", "netf").output == "deleted Netflix “2”\n")
        _ = try client.id("people", "add", "--name", "Ana")
        _ = try client.id("groups", "add", "--name", "Flat", "--members", "me,Ana")
        _ = try client.id("budget", "set", "--amount", "50 €")
        let budget = try #require(client.json("budget", "list").each("id").first)
        #expect(try client.run("budget", "delete", budget).output == "deleted budget: all subscriptions €50.00\n")
        #expect(try client.run("groups", "delete", "Flat").output == "deleted Flat\n")
        #expect(try client.run("people", "delete", "Ana", "--lang", "fr").output == "supprimé : Ana\n")
        let id = try client.add("Deezer")
        let json = try client.json("delete", "deezer")
        #expect(json["id"]?.stringValue == id && json["deleted"] == .bool(true))
    }

    @Test func refusalsAreOfWhatWasTyped() throws {
        let client = try Client()
        let days = try client.run("upcoming", "--days", "-1")
        #expect(days.status == 64 && days.errors.contains("--days must be from 0 to 3660"), "\(days)")
        let renewing = try client.run("list", "--renewing", "-1")
        #expect(renewing.status == 64 && renewing.errors.contains("--renewing must be from 0"), "\(renewing)")
        let yen = try client.run(
            "add", "--name", "x", "--amount", "13.5", "--currency", "JPY", "--cycle", "monthly", "--next", "2026-12-01")
        #expect(yen.errors == "error: amount: Must have no decimals.\n", "\(yen)")
        _ = try client.id("people", "add", "--name", "Ana")
        _ = try client.id("groups", "add", "--name", "Flat", "--members", "me,Ana")
        let added = try client.run(
            "expenses", "add", "--group", "Flat", "--title", "x", "--amount", "30", "--currency", "EUR", "--paid-by",
            "me", "--on", "2026-11-10")
        #expect(added.status == 0)
        let refused = try client.run("people", "delete", "Ana")
        #expect(refused.status == 1 && refused.errors.hasPrefix("error: The balance is not settled"), "\(refused)")
        let french = try client.run("people", "delete", "Ana", "--lang", "fr")
        #expect(french.errors.hasPrefix("erreur : Un compte est ouvert"), "\(french)")
    }
}
