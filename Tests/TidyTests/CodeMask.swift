/// Swift source with everything that is not code blanked out: comments, the text of string literals, the
/// insides of
/// raw identifiers and of `#/regex/#` literals. Lines and columns (in bytes) stay where they were, so that a
/// rule can
/// search the mask and name the place in the file. Code inside a string's interpolation stays.
struct CodeMask {
    private let input: [UInt8]
    private var output: [UInt8] = []
    private var position = 0

    static func masked(_ text: String) -> String {
        var mask = CodeMask(input: Array(text.utf8))
        mask.code(endsAtParenthesis: false)
        return String(decoding: mask.output, as: UTF8.self)
    }

    private init(input: [UInt8]) {
        self.input = input
        self.output.reserveCapacity(input.count)
    }

    private func starts(with word: StaticString, at offset: Int = 0) -> Bool {
        let bytes = Array("\(word)".utf8)
        return self.input.dropFirst(self.position + offset).starts(with: bytes)
    }

    private func hashes(at offset: Int) -> Int {
        self.input.dropFirst(self.position + offset).prefix { $0 == UInt8(ascii: "#") }.count
    }

    private mutating func keep() {
        self.output.append(self.input[self.position])
        self.position += 1
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where self.position < self.input.count {
            let byte = self.input[self.position]
            self.output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
            self.position += 1
        }
    }

    private mutating func code(endsAtParenthesis: Bool) {
        var depth = 0
        while self.position < self.input.count {
            switch self.input[self.position] {
            case UInt8(ascii: "/") where self.starts(with: "//"):
                self.lineComment()
            case UInt8(ascii: "/") where self.starts(with: "/*"):
                self.blockComment()
            case UInt8(ascii: "\""):
                self.string(hashes: 0)
            case UInt8(ascii: "#"):
                let count = self.hashes(at: 0)
                if self.starts(with: "\"", at: count) {
                    self.string(hashes: count)
                } else if self.starts(with: "/", at: count) {
                    self.regex(hashes: count)
                } else {
                    self.keep()
                }
            case UInt8(ascii: "`"):
                self.rawIdentifier()
            case UInt8(ascii: "("):
                depth += 1
                self.keep()
            case UInt8(ascii: ")"):
                depth -= 1
                self.keep()
                if endsAtParenthesis && depth == 0 { return }
            default:
                self.keep()
            }
        }
    }

    private mutating func lineComment() {
        while self.position < self.input.count, self.input[self.position] != UInt8(ascii: "\n") {
            self.blank()
        }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if self.starts(with: "/*") {
                depth += 1
                self.blank(2)
            } else if self.starts(with: "*/") {
                depth -= 1
                self.blank(2)
            } else {
                self.blank()
            }
        } while depth > 0 && self.position < self.input.count
    }

    private mutating func rawIdentifier() {
        self.keep()
        while self.position < self.input.count, self.input[self.position] != UInt8(ascii: "`") {
            self.blank()
        }
        if self.position < self.input.count { self.keep() }
    }

    private mutating func regex(hashes: Int) {
        self.blank(hashes + 1)
        while self.position < self.input.count {
            if self.starts(with: "/"), self.hashes(at: 1) >= hashes {
                self.blank(hashes + 1)
                return
            }
            self.blank()
        }
    }

    private mutating func string(hashes: Int) {
        self.blank(hashes)
        let isMultiline = self.starts(with: "\"\"\"")
        let quotes = isMultiline ? 3 : 1
        self.blank(quotes)
        while self.position < self.input.count {
            let byte = self.input[self.position]
            if byte == UInt8(ascii: "\\"), self.hashes(at: 1) >= hashes {
                if self.starts(with: "(", at: 1 + hashes) {
                    self.blank(1 + hashes)
                    self.code(endsAtParenthesis: true)
                } else {
                    self.blank(2 + hashes)
                }
            } else if byte == UInt8(ascii: "\""), !isMultiline || self.starts(with: "\"\"\""),
                self.hashes(at: quotes) >= hashes
            {
                self.blank(quotes + hashes)
                return
            } else if byte == UInt8(ascii: "\n"), !isMultiline {
                return
            } else {
                self.blank()
            }
        }
    }
}
