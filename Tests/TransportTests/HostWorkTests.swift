import EventLoop
import RaceModel
import ServerCore
import Testing
import WireProtocol

@testable import ServerRuntime

extension TransportTests {
    /// Goal: an answer of the store is told, however much came before it that nobody had to be answered for.
    /// Method: on the queue of the core, so that the store's answer can only come behind it, one asks for an alias
    /// that the store is asked for, and others send messages that are not complete.
    @Suite struct HostWorkTests {
        private static let preface: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 1]
        private static let people = (0..<40).map { ConnectionID(slot: $0, generation: 1) }
        private static let question: [UInt8] = {
            var bytes: [UInt8] = []
            BinaryEncoder.append(.lookUpAliases((1...64).map { PlayerID($0) }), to: &bytes)
            return bytes
        }()

        private static func settings(loops: Int) -> ServerSettings {
            var settings = ServerSettings()
            settings.port = 0
            settings.loops = loops
            settings.logLevel = .error
            return settings
        }

        @Test func `messages that are not complete keep no answer of the store back`() throws {
            let (engine, _) = try Engine.single(
                Self.settings(loops: 1), .memory(), nil, LogWriter(level: .error))
            defer { engine.abandon() }
            guard case .single(let host) = engine else { return }
            host.waitOnQueue { host in
                host.loop.perform {
                    for id in Self.people {
                        host.accepted(id, from: "127.0.0.1:1")
                        host.received(id, Self.preface[...])
                    }
                }
                host.loop.perform { host.received(Self.people[0], Self.question[...]) }
                host.loop.perform {
                    for id in Self.people.dropFirst() { host.received(id, Self.question.dropLast()) }
                }
            }
            #expect(eventually(within: 10) { host.waitOnQueue { $0.census.lookUps } == 0 })
        }

        @Test func `nor with several loops`() throws {
            let (engine, _) = try Engine.several(
                Self.settings(loops: 2), .memory(), nil, LogWriter(level: .error))
            defer { engine.abandon() }
            guard case .several(let core, _) = engine else { return }
            core.waitOnQueue { core in
                var report = LoopReport()
                report.bytes = Self.preface + Self.question
                let (begin, end) = (Self.preface.count, Self.preface.count + Self.question.count)
                for id in Self.people {
                    report.events.append(.accepted(id, address: "127.0.0.1:1"))
                    report.events.append(.received(id, 0..<begin))
                }
                core.take(report, from: 0)
                report.events = [.received(Self.people[0], begin..<end)]
                core.take(report, from: 0)
                report.events = Self.people.dropFirst().map { .received($0, begin..<end - 1) }
                core.take(report, from: 0)
            }
            #expect(eventually(within: 10) { core.waitOnQueue { $0.report.census.lookUps } == 0 })
        }
    }
}
