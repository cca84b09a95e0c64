import ClientCore
import Testing

@testable import ClientRuntime

@Suite struct ScreenPainterTests {
    @Test func `only rows that changed are sent, and none when nothing did`() {
        var painter = ScreenPainter(hasColours: false)
        let first = [ScreenRow("one"), ScreenRow("two"), ScreenRow("12345")]
        #expect(
            String(decoding: painter.frame(first, columns: 5), as: UTF8.self)
                == "\u{1B}[2J\u{1B}[1;1Hone\u{1B}[K\u{1B}[2;1Htwo\u{1B}[K\u{1B}[3;1H12345")
        #expect(painter.frame(first, columns: 5) == [])
        let second = [ScreenRow("one"), ScreenRow("2"), ScreenRow("12345")]
        #expect(String(decoding: painter.frame(second, columns: 5), as: UTF8.self) == "\u{1B}[2;1H2\u{1B}[K")
        painter.invalidate()
        #expect(String(decoding: painter.frame(second, columns: 5), as: UTF8.self).hasPrefix("\u{1B}[2J"))
    }

    @Test func `colours are sent only where there are some`() {
        let row = [ScreenRow("hot", .warning)]
        var plain = ScreenPainter(hasColours: false)
        #expect(!String(decoding: plain.frame(row, columns: 9), as: UTF8.self).contains("31m"))
        var coloured = ScreenPainter(hasColours: true)
        #expect(
            String(decoding: coloured.frame(row, columns: 9), as: UTF8.self).contains(
                "\u{1B}[1;31mhot\u{1B}[0m"))
    }
}
