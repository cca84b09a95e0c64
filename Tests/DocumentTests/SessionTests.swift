import Foundation
import Testing

/// Tests that can write pages anew: one behind the other, since they share a page.
@Suite(.serialized) enum WrittenPages {}

extension WrittenPages {
    /// Every session a page shows is played again, against a server from the same seed. After a change,
    /// `CATRACE_WRITE_SESSIONS=1` writes the answers anew; what clients send is never changed.
    @Suite struct SessionTests {
        @Test func `every session on the pages happens as it is written`() throws {
            let table = try MessageTable()
            var count = 0
            for name in Pages.names {
                var page = try Document(name)
                // From the end, so that the places of earlier blocks stay right.
                for block in page.blocks.reversed() where block.kind == "session" {
                    count += 1
                    let written = SessionPlayer.play(block, table: table)
                    if Pages.isWriting {
                        page.replace(block, with: written)
                    } else {
                        if let difference = zip(block.lines, written).first(where: { $0 != $1 }) {
                            Issue.record(
                                "\(name), \(block.heading):\n  page:   \(difference.0)\n  server: \(difference.1)"
                            )
                        }
                        #expect(block.lines.count == written.count, "\(name), \(block.heading)")
                    }
                }
                if Pages.isWriting { try page.save() }
            }
            #expect(count >= 12)
        }
    }
}

/// The pages that these tests hold to the code.
enum Pages {
    static let names = [
        "protocol.md", "playing.md", "messages.md", "from-clients.md", "from-the-server.md", "race.md",
        "records.md",
    ]
    static let isWriting = ProcessInfo.processInfo.environment["CATRACE_WRITE_SESSIONS"] == "1"
}
