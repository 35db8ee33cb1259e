/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-json-reader.h"
#include "gridftp-json-writer.h"
#include "gridftp-test-cases.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using namespace std::string_view_literals;

/// @param value what was read @param json gets it
void
Write(const JsonValue& value, JsonWriter& json)
{
    switch (value.kind)
    {
    case JsonKind::NOTHING:
        json.Null();
        break;
    case JsonKind::BOOLEAN:
        json.Bool(value.flag);
        break;
    case JsonKind::NUMBER:
        json.Raw(value.text);
        break;
    case JsonKind::TEXT:
        json.String(value.text);
        break;
    case JsonKind::ARRAY:
        json.BeginArray();
        for (const auto& item : value.items)
        {
            Write(item, json);
        }
        json.EndArray();
        break;
    case JsonKind::OBJECT:
        json.BeginObject();
        for (size_t i = 0; i < value.keys.size(); ++i)
        {
            json.Key(value.keys[i]);
            Write(value.items[i], json);
        }
        json.EndObject();
        break;
    }
}

/// @param text JSON @return it as the writer writes it, or what is wrong
std::string
Again(std::string_view text)
{
    const auto value = ParseJson(text);
    if (!value)
    {
        return value.GetError().message;
    }
    JsonWriter json;
    Write(*value, json);
    return json.GetText();
}

/// A text and what becomes of it.
struct Text
{
    std::string_view given;    //!< the JSON
    std::string_view expected; //!< what is read, or what is wrong
};

/// What the reader takes, and gives.
class JsonReaderTest : public TestCase
{
  public:
    JsonReaderTest()
        : TestCase("JSON: what is read is what was written")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::array TEXTS{
            Text{"null", "null"},
            Text{" \t\r\n{ } \n", "{}"},
            Text{"[]", "[]"},
            Text{R"({"a":[true,false,null,"",{"":0}],"b":{"a":-0.5E+3}})",
                 R"({"a": [true, false, null, "", {"": 0}], "b": {"a": -0.5E+3}})"},
            // The writer has one kind of escape for control characters.
            Text{R"(["\"\\\/\b\f\n\r\t\u0000\u001F"])",
                 R"(["\"\\/\u0008\u000c\u000a\u000d\u0009\u0000\u001f"])"},
            Text{R"(["\u0041\u00e9\u20ac\ud83d\ude00\uFFFF"])",
                 "[\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbf\"]"},
            Text{"[\"\x7f\xc3\xa9\xed\x9f\xbf\xf4\x8f\xbf\xbf\"]",
                 "[\"\x7f\xc3\xa9\xed\x9f\xbf\xf4\x8f\xbf\xbf\"]"},
            Text{"[0, -0, 10, 0.0, 1e5, 1E-05, 123456789012345678901234567890]",
                 "[0, -0, 10, 0.0, 1e5, 1E-05, 123456789012345678901234567890]"},
        };
        for (const auto& text : TEXTS)
        {
            NS_TEST_EXPECT_MSG_EQ(Again(text.given), text.expected, text.given);
        }
        const std::string deep = std::string(32, '[') + std::string(32, ']');
        NS_TEST_EXPECT_MSG_EQ(Again(deep), deep, "as deep as may be");
        CheckNumbers();
    }

    /// Numbers as numbers.
    void CheckNumbers()
    {
        ExpectWhole("9223372036854775807", std::numeric_limits<int64_t>::max());
        ExpectWhole("-9223372036854775808", std::numeric_limits<int64_t>::min());
        ExpectWhole("1e15", 1'000'000'000'000'000);
        ExpectWhole("-2.5E1", -25);
        for (const std::string_view text :
             {"9223372036854775808", "0.5", "1e16", "1e999", "\"1\"", "true", "[1]"})
        {
            NS_TEST_EXPECT_MSG_EQ(ParseJson(text)->GetWhole().has_value(), false, text);
        }
        NS_TEST_EXPECT_MSG_EQ(ParseJson("0.1")->GetReal().value_or(0), 0.1, "nearest");
        NS_TEST_EXPECT_MSG_EQ(ParseJson("-1e-7")->GetReal().value_or(0), -1e-7, "nearest");
        NS_TEST_EXPECT_MSG_EQ(ParseJson("1e999")->GetReal().has_value(), false, "no infinity");
        NS_TEST_EXPECT_MSG_EQ(ParseJson("\"0.1\"")->GetReal().has_value(), false, "a text");
    }

    /// @param text a number @param expected what it is
    void ExpectWhole(std::string_view text, int64_t expected)
    {
        const auto value = ParseJson(text);
        NS_TEST_ASSERT_MSG_EQ(Reason(value), "no error", text);
        NS_TEST_ASSERT_MSG_EQ(value->GetWhole().has_value(), true, text);
        NS_TEST_EXPECT_MSG_EQ(*value->GetWhole(), expected, text);
    }
};

/// What the reader does not take, and why not.
class JsonFaultTest : public TestCase
{
  public:
    JsonFaultTest()
        : TestCase("JSON: what is none is refused, with the place")
    {
    }

  private:
    void DoRun() override
    {
        CheckStructure();
        CheckTexts();
        for (const std::string open : {"[", "{\"a\":"})
        {
            std::string deep;
            for (size_t i = 0; i < 200'000; ++i)
            {
                deep += open;
            }
            NS_TEST_EXPECT_MSG_EQ(Again(deep),
                                  "at byte " + std::to_string(32 * open.size() + 1) +
                                      " values are nested too deeply; allowed: 32 levels",
                                  "no end of the stack");
        }
    }

    /// Values, lists and objects.
    void CheckStructure()
    {
        constexpr std::array TEXTS{
            Text{"", "at byte 1 the end is out of place; allowed: a value"},
            Text{"  ", "at byte 3 the end is out of place; allowed: a value"},
            Text{"{} x", "at byte 4 'x' is out of place; allowed: nothing after the value"},
            Text{"\xef\xbb\xbf{}", "at byte 1 '?' is out of place; allowed: a value"},
            Text{"\0"sv, "at byte 1 '?' is out of place; allowed: a value"},
            Text{"nul", "at byte 1 'n' is out of place; allowed: a value"},
            Text{"True", "at byte 1 'T' is out of place; allowed: a value"},
            Text{"NaN", "at byte 1 'N' is out of place; allowed: a value"},
            Text{"-Infinity", "at byte 2 'I' is out of place; allowed: a digit"},
            Text{"+1", "at byte 1 '+' is out of place; allowed: a value"},
            Text{".5", "at byte 1 '.' is out of place; allowed: a value"},
            Text{"5.", "at byte 3 the end is out of place; allowed: a digit"},
            Text{"1e", "at byte 3 the end is out of place; allowed: a digit"},
            Text{"1e+-1", "at byte 4 '-' is out of place; allowed: a digit"},
            Text{"01", "at byte 2 '1' is out of place; allowed: nothing after the value"},
            Text{"0x1", "at byte 2 'x' is out of place; allowed: nothing after the value"},
            Text{"[1,]", "at byte 4 ']' is out of place; allowed: a value"},
            Text{"[1 2]", "at byte 4 '2' is out of place; allowed: ',' or ']'"},
            Text{"[1", "at byte 3 the end is out of place; allowed: ',' or ']'"},
            Text{"[1}", "at byte 3 '}' is out of place; allowed: ',' or ']'"},
            Text{"{,}", "at byte 2 ',' is out of place; allowed: a key in quotation marks"},
            Text{"{\"a\":1,}", "at byte 8 '}' is out of place; allowed: a key in quotation marks"},
            Text{"{a:1}", "at byte 2 'a' is out of place; allowed: a key in quotation marks"},
            Text{"{\"a\" 1}", "at byte 6 '1' is out of place; allowed: ':'"},
            Text{"{\"a\":}", "at byte 6 '}' is out of place; allowed: a value"},
            Text{"{\"a\":1;}", "at byte 7 ';' is out of place; allowed: ',' or '}'"},
            Text{"{\"a\":1, \"\\u0061\":2}",
                 "at byte 9 \"a\" comes twice; allowed: once in an object"},
            Text{"[1] // one", "at byte 5 '/' is out of place; allowed: nothing after the value"},
            Text{"`a`", "at byte 1 '`' is out of place; allowed: a value"},
        };
        for (const auto& text : TEXTS)
        {
            NS_TEST_EXPECT_MSG_EQ(Again(text.given), text.expected, text.given);
        }
    }

    /// Texts.
    void CheckTexts()
    {
        constexpr std::string_view PAIR = " half a surrogate pair ends; allowed: both halves";
        constexpr std::string_view ESCAPE =
            " is out of place; allowed: an escape such as \\n or \\u00e9";
        constexpr std::string_view CONTROL = " there is a control character; allowed: its escape";
        constexpr std::string_view UTF8 = " the text is not UTF-8; allowed: whole UTF-8 characters";
        constexpr std::array TEXTS{
            Text{"3\"a", " the end is out of place; allowed: a quotation mark that ends the text"},
            Text{"3\"a\nb\"", CONTROL},
            Text{"2\"\0\""sv, CONTROL},
            Text{"8\"\\ud83d\"", PAIR},
            Text{"14\"\\ud83d\\u0041\"", PAIR},
            Text{"8\"\\ude00\"", PAIR},
            Text{"2\"\xff\"", UTF8},
            Text{"2\"\xc0\xaf\"", UTF8},         // overlong
            Text{"2\"\xe0\x80\xaf\"", UTF8},     // overlong
            Text{"2\"\xf0\x8f\xbf\xbf\"", UTF8}, // overlong
            Text{"2\"\xed\xa0\x80\"", UTF8},     // half a surrogate pair
            Text{"2\"\xf4\x90\x80\x80\"", UTF8}, // above U+10FFFF
            Text{"2\"\xe2\x82\"", UTF8},         // cut off
        };
        for (const auto& [given, expected] : TEXTS)
        {
            // The place stands in front of the text.
            const size_t quote = given.find('"');
            const std::string place = "at byte " + std::string(given.substr(0, quote));
            NS_TEST_EXPECT_MSG_EQ(Again(given.substr(quote)), place + std::string(expected), given);
        }
        for (const std::string found : {"'x'", "'1'", "'-'"})
        {
            const std::string text = found == "'x'"   ? "\"\\x\""
                                     : found == "'1'" ? "\"\\u12\""
                                                      : "\"\\u-123\"";
            const std::string place = found == "'x'" ? "at byte 3 " : "at byte 4 ";
            NS_TEST_EXPECT_MSG_EQ(Again(text), place + found + std::string(ESCAPE), text);
        }
        NS_TEST_EXPECT_MSG_EQ(Again("\"\\"), "at byte 3 the end" + std::string(ESCAPE), "cut off");
        WriteNoText();
    }

    /// Bytes that are no text are written as characters of Latin-1, so that the whole stays JSON.
    void WriteNoText()
    {
        for (const auto bytes : {"\xff"sv,
                                 "\xc0\xaf"sv,
                                 "\xe0\x80\xaf"sv,
                                 "\xf0\x8f\xbf\xbf"sv,
                                 "\xed\xa0\x80"sv,
                                 "\xf4\x90\x80\x80"sv,
                                 "\xe2\x82"sv})
        {
            JsonWriter json;
            json.String(bytes);
            const auto read = ParseJson(json.GetText());
            NS_TEST_ASSERT_MSG_EQ(bool(read), true, json.GetText());
            NS_TEST_EXPECT_MSG_EQ(read->text.size(), 2 * bytes.size(), json.GetText());
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new JsonReaderTest, new JsonFaultTest};
});

} // namespace ns3::gridftp
