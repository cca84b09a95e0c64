import RaceModel
import ServerCore
import Testing

/// A server whose predecessor came to no orderly end.
struct SuddenEndTests {
    private static let text =
        "the server ended suddenly and was started anew: races under way then have no result, nobody has won "
        + "or lost them"

    /// Ann and Bob were in a race when the server ended, Cat in none.
    private func crashed() -> (script: ServerScript, keys: [String]) {
        var script = ServerScript(keepsMatches: true)
        var keys: [String] = []
        for name in ["ann", "bob", "cat"] { keys.append(script.joinKeepingKey(name, auto: false).1) }
        script.beginAnew(with: [], downFor: 5, suddenly: true)
        return (script, keys)
    }

    @Test func `who comes back is told once, behind the welcome, and how long ago it was`() {
        var (script, keys) = self.crashed()
        let first = script.rejoin("ann", keys[0], seq: 3, auto: false)
        #expect(
            script.read(first) == [
                "welcome player=1 alias=ann", "notice code=sudden-end seconds=0 text=\"\(Self.text)\"",
            ])
        script.pass(seconds: 7)
        let second = script.rejoin("bob", keys[1], auto: false)
        #expect(script.read(second).line("notice")?.value("seconds") == "7")
        script.drop(first)
        let again = script.rejoin("ann", keys[0], auto: false)
        #expect(script.read(again) == ["welcome player=1 alias=ann"])
    }

    @Test func `who is new is not told, nor when they come back`() {
        var (script, _) = self.crashed()
        let (dan, key) = script.joinKeepingKey("dan", auto: false)
        #expect(script.read(dan).line("notice") == nil)
        script.drop(dan)
        let back = script.rejoin("dan", key, auto: false)
        #expect(script.read(back).line("notice") == nil)
    }

    @Test func `after ten minutes nobody is told`() {
        for (seconds, isTold) in [(600, true), (601, false)] {
            var (script, keys) = self.crashed()
            script.pass(seconds: Double(seconds))
            let back = script.rejoin("ann", keys[0], auto: false)
            #expect((script.read(back).line("notice") != nil) == isTold, "\(seconds) s")
        }
    }

    @Test func `behind an orderly end nobody is told`() {
        var script = ServerScript(keepsMatches: true)
        let key = script.joinKeepingKey("ann", auto: false).1
        script.restart()
        let back = script.rejoin("ann", key, auto: false)
        #expect(script.read(back).line("notice") == nil)
    }
}
