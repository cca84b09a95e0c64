import Lobby
import RaceModel
import ServerCore
import Store
import WireProtocol

/// Plays a block `session` of a page against a whole server without sockets, and writes the block as it
/// should be.
///
///     ann> name ann           ann types a line
///     ann< welcome ...        what she gets
///     ann! closed             the server closes her connection
///     * 10 s                  time passes
///     * ann drops             her connection breaks
///     * ann half-closes       she sends no more
///     ; words                 for the reader
///
/// Options: `seed=N`; `show=ann,bob`, whose lines are shown (everybody's unless it is given); `binary=ann`,
/// who speaks
/// frames, written as hexadecimal digits behind which `;` begins what they mean; `greeting`, for the
/// greeting and all
/// notes, which are left out otherwise.
///
/// While writing, `ann> ~ play 2` of a binary client becomes the frame of that line, and the words `KEY` and
/// `CODE` the
/// first key and code that the server gave.
struct SessionPlayer {
    private let table: MessageTable
    private let shown: Set<String>?
    private let binary: Set<String>
    private let hasGreeting: Bool

    private var server: RaceServer
    private var store = MemoryStore()
    private var now = Instant.zero
    private var connections: [(label: String, id: ConnectionID)] = []
    private var received: [ConnectionID: [UInt8]] = [:]
    private var closed: [ConnectionID] = []
    private var begun: Set<ConnectionID> = []
    private var lastSlot: UInt32 = 0
    private(set) var written: [String] = []

    init(_ block: Document.Block, table: MessageTable) {
        func labels(_ option: String) -> Set<String>? {
            block.options[option].map { Set($0.split(separator: ",").map(String.init)) }
        }
        self.table = table
        self.shown = labels("show")
        self.binary = labels("binary") ?? []
        self.hasGreeting = block.options["greeting"] != nil
        let seed = block.options["seed"].flatMap { UInt64($0) } ?? 1
        var configuration = ServerConfiguration()
        // 2026-12-24 17:00:00 UTC.
        configuration.door.clockOrigin = WallTime(seconds: 1_798_131_600)
        self.server = RaceServer(configuration: configuration, entropy: SeededGenerator(seed: seed))
    }

    static func play(_ block: Document.Block, table: MessageTable) -> [String] {
        var player = SessionPlayer(block, table: table)
        var index = 0
        while index < block.lines.count {
            var line = block.lines[index]
            index += 1
            // What a long frame goes on with.
            while index < block.lines.count, block.lines[index].hasPrefix(" ") {
                line += "\n" + block.lines[index]
                index += 1
            }
            player.take(line)
        }
        return player.written
    }

    private mutating func take(_ line: String) {
        if line.hasPrefix("*") {
            self.written.append(line)
            let words = line.dropFirst(2).split(separator: " ").map(String.init)
            if let seconds = words.first.flatMap(Double.init) {
                self.pass(seconds)
            } else if words.last == "connects" {
                _ = self.connect(words[0])
            } else if words.count == 4, words[1] == "connects", let address = NetworkAddress(words[3]) {
                _ = self.connect(words[0], from: address)
            } else if words.starts(with: ["the", "operator", "bans"]), words.count == 8,
                let subject = Ban.Subject(words[3])
            {
                self.feed(.operated(1, .ban(subject, seconds: Int64(words[5]), reason: words[7])))
            } else if words.count == 2, let id = self.id(of: words[0]) {
                if words[1] == "drops" { self.closed.append(id) }
                self.feed(words[1] == "drops" ? .closed(id, .reset) : .inputEnded(id))
            }
        } else if let end = line.firstIndex(where: { ">!<".contains($0) }), !line.hasPrefix(";") {
            guard line[end] == ">" else { return }
            let label = String(line[..<end])
            let text = String(line[line.index(after: end)...].dropFirst())
            self.send(self.withSecrets(text), label)
        } else {
            self.written.append(line)
        }
        self.writeOutputs()
    }

    private var secrets: [(word: String, value: String)] = []

    private func withSecrets(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            self.secrets.first { $0.word == word }?.value ?? String(word)
        }.joined(separator: " ")
    }

    private mutating func learnSecrets(_ line: Substring) {
        for (word, key) in [("KEY", "key="), ("CODE", "code value=")] {
            guard let range = line.firstRange(of: key) else { continue }
            self.secrets.append((word, String(line[range.upperBound...].prefix { $0 != " " })))
        }
    }

    private func id(of label: String) -> ConnectionID? { self.connections.last { $0.label == label }?.id }

    private mutating func connect(
        _ label: String, from address: NetworkAddress = NetworkAddress(ipv4: 0x7F00_0001)
    ) -> ConnectionID {
        if let id = self.id(of: label), !self.closed.contains(id) { return id }
        let id = ConnectionID(slot: self.lastSlot, generation: 1)
        self.lastSlot += 1
        self.connections.append((label, id))
        self.feed(.accepted(id, address: address))
        if !self.binary.contains(label), !self.hasGreeting, !self.closed.contains(id) {
            self.feed(.received(id, Array("set notes off\n".utf8)[...]))
            self.received[id] = nil
        }
        return id
    }

    private mutating func send(_ text: String, _ label: String) {
        let id = self.connect(label)
        self.writeOutputs()
        guard self.binary.contains(label) else {
            self.written.append("\(label)> \(text)")
            self.feed(.received(id, Array((text + "\n").utf8)[...]))
            return self.pass(0)
        }
        let bytes = text.hasPrefix("~") ? self.frame(of: String(text.dropFirst(2))) : Self.bytes(of: text)
        self.write(bytes, label, ">", isFirst: self.begun.insert(id).inserted, from: "client")
        self.feed(.received(id, bytes[...]))
        self.pass(0)
    }

    private func frame(of text: String) -> [UInt8] {
        var lines = LineDecoder()
        var input = Array((text + "\n").utf8)[...]
        var frame: [UInt8] = []
        guard case .message(let message)? = try? lines.next(in: &input) else { return [] }
        BinaryEncoder.append(message, to: &frame)
        return frame
    }

    /// The hexadecimal digits before `;` of each line.
    private static func bytes(of text: String) -> [UInt8] {
        let digits = text.split(separator: "\n").map { $0.prefix { $0 != ";" } }.joined()
        return Hex.bytes(digits.utf8.filter { $0 != 0x20 }) ?? []
    }

    private mutating func pass(_ seconds: Double) {
        let end = Instant(nanoseconds: self.now.nanoseconds + Int64(seconds * 1e9))
        while let due = self.server.nextDeadline, due <= end {
            self.now = max(self.now, due)
            self.feed(.deadlinePassed)
        }
        self.now = end
    }

    private mutating func feed(_ input: Input) {
        var outbox = Outbox()
        self.server.handle(input, now: self.now, into: &outbox)
        var next: [Input] = []
        for output in outbox.outputs {
            switch output {
            case .send(let id, let range): self.received[id, default: []] += outbox.bytes[range]
            case .close(let id):
                self.closed.append(id)
                next.append(.closed(id, .closed))
            case .sendAhead(let id, let range): self.received[id, default: []] += outbox.bytes[range]
            case .abort(let id):
                self.closed.append(id)
                next.append(.closed(id, .closed))
            case .pauseReading, .resumeReading, .hold, .release: break
            }
        }
        for errand in outbox.errands {
            switch errand {
            case .directory(let lookUp, let request):
                if let answer = self.store.answer(request) { next.append(.answered(lookUp, answer)) }
            case .results(let lookUp, let request):
                if let answer = self.store.answer(request) { next.append(.resultsAnswered(lookUp, answer)) }
            case .log, .operated, .bans, .ended: break
            }
        }
        for input in next { self.feed(input) }
    }

    // MARK: Writing

    private var announced: Set<ConnectionID> = []

    private mutating func writeOutputs() {
        for (label, id) in self.connections {
            let bytes = self.received.removeValue(forKey: id) ?? []
            if !self.binary.contains(label) {
                for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                    self.learnSecrets(line)
                }
            }
            guard self.shown?.contains(label) ?? true else { continue }
            if self.binary.contains(label) {
                self.writeFrames(bytes, label, id)
            } else {
                for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                where self.hasGreeting || !line.hasPrefix("#") {
                    self.written.append("\(label)< \(line)")
                }
            }
            if self.closed.contains(id), self.announced.insert(id).inserted {
                self.written.append("\(label)! closed")
            }
        }
    }

    private var greetedInBinary: Set<ConnectionID> = []

    private mutating func writeFrames(_ bytes: [UInt8], _ label: String, _ id: ConnectionID) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let isFirst = self.greetedInBinary.insert(id).inserted
            let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            let taken = min(rest.count, isFirst ? Preface.byteCount : length + 2)
            self.write(Array(rest.prefix(taken)), label, "<", isFirst: isFirst, from: "server")
            rest = rest.dropFirst(taken)
        }
    }

    private mutating func write(
        _ bytes: [UInt8], _ label: String, _ mark: String, isFirst: Bool, from: String
    ) {
        if isFirst {
            let piece = { (range: Range<Int>) in FramePiece.hex(bytes[range]) }
            guard bytes.count == 8 else { return self.written.append("\(label)\(mark) not a preface") }
            let versions =
                from == "client" ? "the versions I speak, lowest and highest" : "the version chosen, and 0"
            self.written.append(
                "\(label)\(mark) \(piece(0..<4)) \(piece(4..<6)) \(piece(6..<8)) ; preface: \(versions)")
            return
        }
        guard let (name, pieces) = self.table.takeApart(bytes[...], from: from) else {
            return self.written.append("\(label)\(mark) \(FramePiece.hex(bytes[...])) ; not in messages.def")
        }
        let head = FramePiece.hex(bytes[0..<2]) + " " + FramePiece.hex(bytes[2..<3])
        let short =
            ([head] + pieces.map(\.hex)).joined(separator: " ") + " ; "
            + (["\(name)"] + pieces.map(\.meaning)).joined(separator: ", ")
        if short.utf8.count <= 114 { return self.written.append("\(label)\(mark) \(short)") }
        self.written.append("\(label)\(mark) \(head) ; \(name)")
        let indent = String(repeating: " ", count: label.count + 2)
        for piece in pieces { self.written.append("\(indent)\(piece.hex) ; \(piece.meaning)") }
    }
}
