import RaceModel
import Testing
import WireProtocol

@Suite struct ProtocolFileTests {
    private func first<Value>(_ name: Value) -> String {
        let text = "\(name)"
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    @Test func `the table has every message of the code, and nothing else`() throws {
        let table = try MessageTable()
        let clients = table.rows.filter { $0.sender == "client" }
        #expect(clients.map(\.number) == ClientMessageNumber.allCases.map(\.rawValue))
        #expect(clients.map(\.name) == ClientMessageNumber.allCases.map { self.first($0) })
        let servers = table.rows.filter { $0.sender == "server" }
        #expect(servers.map(\.number) == ServerMessageNumber.allCases.map(\.rawValue))
        #expect(servers.map(\.name) == ServerMessageNumber.allCases.map { self.first($0) })
        #expect(table.rows.count == clients.count + servers.count)
        for row in clients {
            let fixed = row.bytes.count == 1 ? row.bytes.lowerBound : nil
            #expect(ClientMessageNumber(rawValue: row.number)?.bodyBytes == fixed, "\(row.name)")
        }
        let verbs = clients.flatMap(\.verbs)
        #expect(Set(verbs) == Set(Verb.allCases.filter { $0.request != nil }.map(\.rawValue)))
        for row in clients {
            for verb in row.verbs {
                #expect(Verb(rawValue: verb)?.request?.rawValue == row.number, "\(verb)")
            }
        }
        let states = Set(
            "any unnamed named free queued hosting watching match matching drawing starting active done"
                .split(
                    separator: " "
                ).map { String($0) })
        for row in table.rows {
            #expect(!row.states.isEmpty && states.isSuperset(of: row.states), "\(row.name)")
        }
    }

    @Test func `the table's choices are those of the code`() throws {
        let table = try MessageTable()
        func check<Value: WireName>(_ name: String, _ type: Value.Type)
        where Value.RawValue: FixedWidthInteger {
            let names = Dictionary(
                uniqueKeysWithValues: Value.allCases.map { (UInt64($0.rawValue), $0.name) })
            #expect(table.enums[name]?.names == names, "\(name)")
            #expect(table.enums[name]?.bytes == Value.RawValue.bitWidth / 8, "\(name)")
        }
        check("Rule", RaceSettings.Rule.self)
        check("Draw", RaceSettings.Draw.self)
        check("OutcomeReason", Outcome.Reason.self)
        check("ForfeitReason", ForfeitReason.self)
        check("CancelReason", MatchCancelled.Reason.self)
        check("RunnerPresence", Runner.Presence.self)
        check("MatchState", MatchState.self)
        check("PlayerState", PlayerState.self)
        check("WaitKind", WaitKind.self)
        check("Activity", Activity.self)
        check("InviteOutcome", InviteOutcome.self)
        check("NoticeCode", NoticeCode.self)
        check("ByeReason", ByeReason.self)
        check("ErrorCode", ErrorCode.self)
        #expect(table.enums.count == 14)
    }

    // Goal: the table says how the code lays bodies out. Method: the fields of a row are walked over the
    // bodies that samples and random messages have; all of each body must be used up, and its length be one
    // the row allows.
    @Test func `every body has exactly the layout of its row`() throws {
        let table = try MessageTable()
        func check(_ frame: [UInt8], _ sender: String, _ verb: String) throws {
            let row = try #require(table.rows.first { $0.sender == sender && $0.number == frame[2] })
            let body = frame[3...]
            #expect(Int(frame[0]) << 8 | Int(frame[1]) == frame.count - 2)
            if table.length(of: row.fields, in: body) != body.count { Issue.record("\(row.name): \(frame)") }
            if !row.bytes.contains(body.count) { Issue.record("\(row.name) has \(body.count) bytes") }
            if !row.verbs.contains(verb) { Issue.record("\(row.name) is written as \(verb)") }
        }
        func verb(_ line: [UInt8]) -> String {
            Feed.text(Array(line.prefix { $0 != 0x20 && $0 != 0x0A }))
        }
        for seed in UInt64(1)...1000 {
            var random = RandomMessages(seed: seed)
            let client = random.client()
            try check(Feed.frame(client), "client", verb(Feed.line(client)))
            let server = random.server()
            try check(Feed.frame(server), "server", verb(Feed.line(server)))
        }
        for message in Samples.client { try check(Feed.frame(message), "client", verb(Feed.line(message))) }
        for message in Samples.server { try check(Feed.frame(message), "server", verb(Feed.line(message))) }
    }

    @Test func `every client vector is read and written to the letter`() throws {
        let vectors = try ProtocolFiles.vectors("client.txt")
        for vector in vectors {
            let events = Feed.frames([vector.frame[...]], as: ClientMessage.self)
            guard events.count == 1, case .value(let message) = events[0] else {
                Issue.record("\(vector): \(events)")
                continue
            }
            #expect(self.first(message.number) == vector.message)
            #expect(Feed.frame(message) == vector.frame)
            #expect(Feed.text(Feed.line(message)) == Feed.text(vector.text))
            #expect(Feed.lines([vector.text[...]]) == [.value(.message(message))])
        }
        #expect(Set(vectors.map(\.message)) == Set(ClientMessageNumber.allCases.map { self.first($0) }))
        #expect(vectors.contains { Hex.text($0.frame) == "0006000001020304" })
        #expect(vectors.contains { Hex.text($0.frame) == "0009220102030405060708" })
    }

    @Test func `every server vector is read and written to the letter`() throws {
        let vectors = try ProtocolFiles.vectors("server.txt")
        for vector in vectors {
            let events = Feed.frames([vector.frame[...]], as: ServerMessage.self)
            guard events.count == 1, case .value(let message) = events[0] else {
                Issue.record("\(vector): \(events)")
                continue
            }
            #expect(self.first(message.number) == vector.message)
            #expect(Feed.frame(message) == vector.frame)
            #expect(Feed.text(Feed.line(message, names: Samples.names)) == Feed.text(vector.text))
            #expect(Feed.serverLines([vector.text[...]]) == [.value(message)])
        }
        #expect(Set(vectors.map(\.message)) == Set(ServerMessageNumber.allCases.map { self.first($0) }))
    }
}
