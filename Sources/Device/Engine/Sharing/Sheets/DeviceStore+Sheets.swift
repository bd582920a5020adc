public import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Sharing {
    /// The sheet of a group: expenses that are not settled outside, and repayments within the group, oldest first.
    public func sheet(of group: UUID) throws -> GroupSheet {
        try store.read { try Sheets($0).sheet(of: group) }
    }

    /// Takes the entries of a sheet into a group, all or none. What the group has already stays as it is, so the same
    /// file can be imported again: entries are recognised by an id that is derived from the file, even if they or their
    /// people were edited since; entries typed by hand are matched by day, title, amount and people. Settled expenses
    /// count too. Can be undone as one.
    ///
    /// Without a `group`, the one with the sheet's name is taken, or a new one. People are found by name, without case
    /// and accents. Those of new entries, and all of a new group, join it, and are added if they are missing. `me` is
    /// the name in the sheet that is the owner of the store; nil for none.
    public func take(_ sheet: GroupSheet, into group: UUID?, me: String?, at moment: Moment) throws -> SheetImport {
        try store.write(at: moment, as: .imported) { unit in
            let reader = SharingReader(unit.session)
            let people = Dictionary(grouping: try reader.people()) { TextFolding.fold($0.name) }
            let groups = try reader.groups()
            var result = SheetImport(groupID: group ?? unit.makeID())
            var ids: [String: UUID] = [:]
            for name in sheet.people {
                let same = people[TextFolding.fold(name)] ?? []
                ids[name] = name == me ? Person.me : same.count == 1 ? same[0].id : nil
            }
            let folded = TextFolding.fold(sheet.name)
            let present = groups.first { group == nil ? TextFolding.fold($0.name) == folded : $0.id == group }
            result.groupID = present?.id ?? result.groupID
            var target =
                present ?? PersonGroup(id: result.groupID, name: sheet.name, memberIDs: [], createdAt: moment.now)
            var known = KnownEntries(try present.map { try Sheets(unit.session).likenesses(of: $0, named: ids) } ?? [:])
            let origins = sheet.origins(of: known.ids)
            // Entries recognised by their ids first: what is left may be entries without.
            let derived = sheet.derivedIDs(in: target.id)
            let told = try zip(sheet.entries, derived).map { entry, id -> Bool in
                // The id in the file is the entry's own if the group wrote the file, or one that another device has
                // derived from it.
                if let own = entry.id.flatMap({ UUID(uuidString: $0) }), known.take(origins[own] ?? own) { return true }
                return try known.take(id) || unit.hasEntry(id)
            }
            var new: [(entry: GroupSheet.Entry, id: UUID)] = []
            for (place, entry) in sheet.entries.enumerated() {
                if told[place] {
                    try unit.noteReading(entry.table, derived[place])
                } else if !known.take(entry.likeness) {
                    new.append((entry, derived[place]))
                }
            }
            result.known = sheet.entries.count - new.count
            let names = present == nil ? Set(sheet.people) : Set(new.flatMap(\.entry.names))
            var places: [String: Int] = [:]
            for name in sheet.people {
                // `Max` and `max` are two people, told apart by their order in the sheet.
                let folded = TextFolding.fold(name)
                let place = places[folded, default: 0]
                places[folded] = place + 1
                guard names.contains(name), ids[name] == nil else { continue }
                guard people[folded] == nil else {
                    throw Fault("people", .duplicate, "Several people have the name \(name).")
                }
                // The same on every device that reads the sheet for this group; who has it is called otherwise now.
                let id = DerivedID.of("person \(folded) \(place) of \(target.id.lowercased)")
                ids[name] = id
                guard try EntityTables.people.row([.uuid(id)], in: unit.session) == nil else { continue }
                try unit.reading(EntityTables.people, id) {
                    try unit.save(Person(id: id, name: name, createdAt: moment.now))
                }
                result.people.append(name)
            }
            var members = Set(target.memberIDs)
            target.memberIDs += sheet.people.filter(names.contains).compactMap { ids[$0] }
                .filter { members.insert($0).inserted }
            try unit.save(target)
            for (entry, id) in new {
                do {
                    try unit.reading(entry.table, id) {
                        try unit.take(entry, id, into: target, ids, at: moment)
                    }
                } catch let faults as FaultList {
                    guard let fault = faults.first else { throw faults }
                    throw Fault("\(entry.place), \(fault.pointer)", fault.code, fault.sentence)
                }
                if entry.isRepayment { result.repayments += 1 } else { result.expenses += 1 }
            }
            return result
        }
    }
}

extension GroupSheet.Entry {
    fileprivate var table: EntityTable { isRepayment ? EntityTables.repayments : EntityTables.expenses }
}

/// The entries that a group has, each of which one entry of a sheet may be.
private struct KnownEntries {
    /// By the id of the entry, as one payer's rows and as a whole.
    private var likenesses: [UUID: [String]]
    private var left: [String: Int] = [:]

    init(_ likenesses: [UUID: [String]]) {
        self.likenesses = likenesses
        for likeness in likenesses.values.joined() { left[likeness, default: 0] += 1 }
    }

    var ids: [UUID] { Array(likenesses.keys) }

    mutating func take(_ id: UUID) -> Bool {
        guard let own = likenesses.removeValue(forKey: id) else { return false }
        for likeness in own { left[likeness, default: 0] -= 1 }
        return true
    }

    mutating func take(_ likeness: String) -> Bool {
        guard let count = left[likeness], count > 0 else { return false }
        left[likeness] = count - 1
        return true
    }
}

extension GroupSheet {
    /// The ids that the entries get in a group, the same whenever the file is read: of the id in the file, which the
    /// entry of another group may have as well, else of what the file says, with the number of entries like it before.
    fileprivate func derivedIDs(in group: UUID) -> [UUID] {
        var places: [String: Int] = [:]
        return entries.map { entry in
            let id = entry.id.flatMap { $0.isEmpty ? nil : UUID(uuidString: $0)?.lowercased ?? $0 }
            let key = id ?? entry.likeness
            defer { places[key, default: 0] += 1 }
            let place = places[key] ?? 0
            return Self.derivedID(of: id == nil || place > 0 ? "\(key)\u{1F}\(place)" : key, in: group)
        }
    }

    /// The entries among these by the ids that the group of the file, if it is another device's, has derived from them.
    fileprivate func origins(of ids: [UUID]) -> [UUID: UUID] {
        guard let group = id.flatMap({ UUID(uuidString: $0) }) else { return [:] }
        return Dictionary(ids.map { (Self.derivedID(of: $0.lowercased, in: group), $0) }) { $1 }
    }

    private static func derivedID(of key: String, in group: UUID) -> UUID {
        DerivedID.of("entry \(key) of \(group.lowercased)")
    }
}

extension GroupSheet.Entry {
    fileprivate var names: [String] { (payers + parts).map(\.name) }
}

extension UnitOfWork {
    fileprivate func hasEntry(_ id: UUID) throws -> Bool {
        try GroupExpense.find(id, in: session) != nil || Repayment.find(id, in: session) != nil
    }

    fileprivate func take(
        _ entry: GroupSheet.Entry, _ id: UUID, into group: PersonGroup, _ ids: [String: UUID], at moment: Moment
    ) throws {
        func amounts(_ parts: [GroupSheet.Part]) -> [PersonAmount] {
            parts.compactMap { part in ids[part.name].map { PersonAmount(personID: $0, minorUnits: part.number) } }
        }
        let (payers, parts) = (amounts(entry.payers), amounts(entry.parts))
        if entry.isRepayment, let from = payers.first, let to = parts.first {
            let repayment = Repayment(
                id: id, from: from.personID, to: to.personID, amount: entry.amount,
                paidOn: entry.on,
                groupID: group.id, createdAt: moment.now)
            return try write(repayment.validated())
        }
        var expense = GroupExpense(
            id: id, groupID: group.id, title: entry.title, amount: entry.amount,
            payers: payers,
            split: Split(
                kind: entry.split, people: parts.map(\.personID),
                weights: entry.split == .even ? [] : parts.map(\.minorUnits)),
            spentOn: entry.on, createdAt: moment.now)
        expense.category = entry.category
        expense.notes = entry.notes
        // Everybody in the sheet may be part of it, even who has left the group since.
        try write(expense.validated(members: Set(ids.values)))
    }
}

/// Reads the sheet of a group.
private struct Sheets {
    private let session: any SQLSession
    private let reader: SharingReader

    init(_ session: any SQLSession) {
        self.session = session
        reader = SharingReader(session)
    }

    func sheet(of group: UUID) throws -> GroupSheet {
        try sheet(of: PersonGroup.load(group, in: session), names: reader.names()) { !$0.isSettled }
    }

    /// The likenesses of each entry of a group, as one payer's rows and as a whole, by its id.
    ///
    /// - Parameter named: the names by which the people of another sheet are called.
    func likenesses(of group: PersonGroup, named: [String: UUID]) throws -> [UUID: [String]] {
        var names = try reader.names()
        for (name, id) in named { names[id] = name }
        let sheet = try sheet(of: group, names: names) { _ in true }
        let likenesses = try sheet.entries.compactMap { entry -> (UUID, [String])? in
            guard let id = entry.id.flatMap({ UUID(uuidString: $0) }) else { return nil }
            let parts = try entry.byPayer()
            return (id, parts.count == 1 ? [entry.likeness] : [entry.likeness] + parts.map(\.likeness))
        }
        return Dictionary(likenesses) { $1 }
    }

    private func sheet(
        of group: PersonGroup, names: [UUID: String], where isIn: (GroupExpense) -> Bool
    ) throws -> GroupSheet {
        let expenses = try reader.expenses(of: group.id).filter(isIn)
        let repayments = try reader.repayments().filter { $0.groupID == group.id }
        var people = group.memberIDs
        for id in expenses.flatMap({ $0.payers.map(\.personID) + $0.split.people })
            + repayments.flatMap({ [$0.from, $0.to] })
        where !people.contains(id) {
            people.append(id)
        }
        // Two people may have the same name.
        var called: [UUID: String] = [:]
        for id in people {
            let name = names[id] ?? String(id.lowercased.prefix(8))
            let isTaken = called.values.contains(name)
            called[id] = isTaken ? "\(name) (\(id.lowercased.prefix(8)))" : name
        }
        func part(_ id: UUID, _ number: Int64) -> GroupSheet.Part { .init(name: called[id] ?? "", number: number) }
        var entries = expenses.map { expense in
            let weights = expense.split.weights
            var entry = GroupSheet.Entry(
                id: expense.id.lowercased, place: "", on: expense.spentOn, title: expense.title,
                amount: expense.amount, payers: expense.payers.map { part($0.personID, $0.minorUnits) },
                split: expense.split.kind,
                parts: expense.split.people.enumerated().map { part($1, weights.isEmpty ? 0 : weights[$0]) })
            entry.category = expense.category
            entry.notes = expense.notes
            return entry
        }
        entries += repayments.map { repayment in
            var entry = GroupSheet.Entry(
                id: repayment.id.lowercased, place: "", on: repayment.paidOn, title: "Reimbursement",
                amount: repayment.amount, payers: [part(repayment.from, repayment.amount.minorUnits)], split: .even,
                parts: [part(repayment.to, 0)])
            entry.isRepayment = true
            return entry
        }
        entries.sort { ($0.on, $0.id ?? "") < ($1.on, $1.id ?? "") }
        return GroupSheet(name: group.name, people: people.compactMap { called[$0] }, entries: entries)
    }
}
