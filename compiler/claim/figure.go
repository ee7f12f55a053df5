package claim

import (
	"strconv"
	"strings"
)

// NumberInWords returns the number that words, in lower case, begin with and of
// how many of them it is made: ten, twenty-five, two hundred thousand. n is 0
// where they begin with no number.
func NumberInWords(words []string) (value float64, n int) {
	if len(words) == 0 {
		return 0, 0
	}
	text := numberWord(words[0])
	if text == "" || words[0] == "once" || words[0] == "twice" {
		return 0, 0
	}
	value, _, _, _ = leadingNumber(text)
	power, more := Power(words[1:])
	return value * power, 1 + more
}

// Power returns what the words behind a number multiply it by, and how many
// of them do: thousand, hundred million.
func Power(words []string) (by float64, n int) {
	by = 1
	for n < len(words) && powers[strings.ToLower(words[n])] > 0 {
		by *= powers[strings.ToLower(words[n])]
		n++
	}
	return by, n
}

// numberWords are the words for numbers, by their value.
var numberWords = map[string]float64{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "once": 1, "twice": 2}

// powers multiply the number before them.
var powers = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12}

// numberWord returns the digits of a number word, with hyphens: twenty-five.
func numberWord(w string) string {
	if n, ok := numberWords[w]; ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	if a, b, ok := strings.Cut(w, "-"); ok && numberWords[a] >= 20 && numberWords[b] > 0 && numberWords[b] < 10 {
		return strconv.FormatFloat(numberWords[a]+numberWords[b], 'f', -1, 64)
	}
	return ""
}
