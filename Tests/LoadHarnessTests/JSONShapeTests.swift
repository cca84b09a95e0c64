import Testing

@testable import LoadHarness

struct JSONShapeTests {
    @Test func `texts are quoted so that any reader takes them`() {
        #expect(JSONText.quoted("a\"b\\c\n\u{7F}\u{1F408}") == #""a\"b\\c\u000a\u007f\ud83d\udc08""#)
    }

    @Test func `numbers are plain decimals`() {
        var object = JSONText()
        object.add("a", 1.5)
        object.add("b", -0.25)
        object.add("c", Double.nan)
        object.add("d", 0.0000004)
        object.add("e", nil)
        object.add("f", 3)
        object.add("g", [JSONText()])
        #expect(
            object.closed == #"{"a":1.500000,"b":-0.250000,"c":null,"d":0.000000,"e":null,"f":3,"g":[{}]}"#)
    }
}
