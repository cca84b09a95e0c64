import Glibc
import Testing

/// Both ends of a pseudo-terminal; the program's end is held open, so that its settings can be looked at
/// afterwards.
final class PseudoTerminal {
    let path: String
    private let keyboard: Int32
    private let held: Int32
    private(set) var shown = ""

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        // What posix_openpt, unlockpt and ptsname do, which this module does not show.
        self.keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        _ = unsafe ioctl(self.keyboard, 0x4004_5431, &number)
        _ = unsafe ioctl(self.keyboard, 0x8004_5430, &number)
        self.path = "/dev/pts/\(number)"
        self.held = unsafe open(self.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(self.held >= 0)
        self.resize(columns: columns, rows: rows)
    }

    deinit {
        close(self.keyboard)
        close(self.held)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(self.keyboard, UInt(TIOCSWINSZ), &size)
    }

    func press(_ keys: String) {
        let bytes = Array(keys.utf8)
        unsafe write(self.keyboard, bytes, bytes.count)
    }

    /// All that `stty -g` prints.
    var settings: [UInt32] {
        var settings = termios()
        unsafe tcgetattr(self.held, &settings)
        let characters = unsafe withUnsafeBytes(of: &settings.c_cc) { unsafe Array($0).map { UInt32($0) } }
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag] + characters
    }

    func waits(for word: String, seconds: Double = 30) -> Bool {
        eventually(seconds: seconds) {
            self.shown += readAvailable(self.keyboard)
            return self.shown.contains(word)
        }
    }

    func forget() { self.shown = "" }

    /// Whether the last things said leave a terminal as a person wants it: cursor, screen, line breaks.
    var isLeftInOrder: Bool {
        self.shown += readAvailable(self.keyboard)
        guard let entered = self.lastIndex(of: "\u{1B}[?1049h") else { return true }
        return ["\u{1B}[?25h", "\u{1B}[?7h", "\u{1B}[?1049l"].allSatisfy { sequence in
            self.lastIndex(of: sequence).map { $0 > entered } ?? false
        }
    }

    private func lastIndex(of word: String) -> Int? {
        let (text, word) = (Array(self.shown.utf8), Array(word.utf8))
        guard text.count >= word.count else { return nil }
        return (0...(text.count - word.count)).last { text[$0..<($0 + word.count)].elementsEqual(word) }
    }
}
