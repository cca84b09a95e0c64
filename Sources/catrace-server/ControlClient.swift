import EventLoop
import Glibc
import ServerRuntime

/// Says one line to a server's control socket, and shows the answer.
enum ControlClient {
    /// Between two pieces of an answer: a backup may take a while.
    private static let seconds = 600

    /// Ends the program: 0 when the server says `ok`, 1 for everything else.
    static func run(_ line: String, at path: String) -> Never {
        let descriptor: Int32
        do throws(LocalSocket.Failure) {
            descriptor = try LocalSocket.connect(to: path, seconds: Self.seconds)
        } catch { fail(error.sentence, status: 1) }
        // It ends as any command does.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        writeFully(line + "\n", to: descriptor)
        var text: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = unsafe recv(descriptor, &room, room.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { fail("the server at '\(path)' did not answer to the end", status: 1) }
            text += room[..<count]
            while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: text[...end], as: UTF8.self)
                text.removeFirst(end + 1)
                writeFully(line, to: STDOUT_FILENO)
                if line == "ok\n" { exit(0) }
                if line.hasPrefix("error ") { exit(1) }
            }
        }
    }
}
