import ClientCore
import RaceModel
import Testing
import WireProtocol

@Suite struct NoticeTests {
    private func sentence(_ code: NoticeCode) -> String? {
        Narrator.sentence(for: .notice(code, seconds: 0, text: "the server's own words"), RaceView())
    }

    @Test func `whether a result is kept is said in plain words`() {
        #expect(
            self.sentence(.notKept)
                == "the server can't keep the result of the race now; it is told all the same, and you hear when it "
                + "is kept")
        #expect(self.sentence(.kept) == "the result is kept")
        #expect(self.sentence(.slowDown) == "the server's own words")
        // What became of a race is said by whoever had one.
        #expect(self.sentence(.suddenEnd) == nil)
    }
}
