package import ClientCore
import Glibc

/// The terminal a person plays at: single keys without echo on a screen of its own, and everything as it was
/// before after `leave`, whatever the reason.
package final class Terminal {
    private var saved: termios?
    private let input: Int32
    private let output: Int32

    package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
        self.input = input
        self.output = output
    }

    /// Whether both ends are a terminal that can place its cursor.
    package var isUsable: Bool {
        StandardStreams.isTerminal(self.input) && StandardStreams.isTerminal(self.output)
            && StandardStreams.environment("TERM").map { $0 != "dumb" } ?? false
    }

    /// Colours are shown unless `NO_COLOR` says otherwise.
    package var hasColours: Bool { StandardStreams.environment("NO_COLOR") == nil }

    /// Whether the screen is ours now.
    package var isEntered: Bool { self.saved != nil }

    /// Whether this process may use the terminal: a job in the background leaves it alone.
    package var isForeground: Bool { tcgetpgrp(self.input) == getpgrp() }

    /// In the size of the window; 80 by 24 where it is not known.
    package var size: Screen.Size {
        var window = winsize()
        guard unsafe ioctl(self.output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
        else {
            return Screen.Size(columns: 80, rows: 24)
        }
        return Screen.Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Single keys, another screen, no cursor. Ctrl-C and Ctrl-Z stay signals.
    package func enter() {
        guard self.saved == nil, self.isForeground else { return }
        var settings = termios()
        guard unsafe tcgetattr(self.input, &settings) == 0 else { return }
        self.saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 0
        }
        unsafe tcsetattr(self.input, TCSANOW, &settings)
        // The title is left alone; the autowrap is off so that a row that is too long can't scroll the
        // screen.
        self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
    }

    /// Everything as it was. Keys not read yet are thrown away: they were meant for the game.
    package func leave() {
        guard var settings = self.saved else { return }
        self.saved = nil
        self.write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        tcflush(self.input, TCIFLUSH)
        unsafe tcsetattr(self.input, TCSANOW, &settings)
    }

    func write(_ text: String) { StandardStreams.write(text, to: self.output) }
    func write(_ bytes: [UInt8]) { StandardStreams.write(bytes, to: self.output) }
}
