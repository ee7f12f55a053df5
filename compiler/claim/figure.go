package claim

import "strings"

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
