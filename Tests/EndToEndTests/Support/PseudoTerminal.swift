import Glibc
import Testing

/// Both ends of a pseudo-terminal.
final class PseudoTerminal {
    let path: String
    let keyboard: Int32
    /// The program's end, held open, so that reading never fails between two programs.
    private let held: Int32

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        // What posix_openpt, unlockpt and ptsname do, which this module does not show.
        self.keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        _ = unsafe ioctl(self.keyboard, 0x4004_5431, &number)
        _ = unsafe ioctl(self.keyboard, 0x8004_5430, &number)
        self.path = "/dev/pts/\(number)"
        self.held = unsafe open(self.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(self.held >= 0)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(self.keyboard, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        close(self.keyboard)
        close(self.held)
    }
}
