package text

import "testing"

func TestModelsReadWhatPeopleSee(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain\ttext\n":                   "plain\ttext\n",
		"a\u202eb\u2066c\ufeff":           `a\u202eb\u2066c\ufeff`,
		"\U000e0069\U000e0067":            `\U000e0069\U000e0067`,
		"ig\u200bno\u00adre":              "ignore",
		"a\x1b[2Jb":                       `a\x1b[2Jb`,
		"می\u200cخواهم":                   "می\u200cخواهم",
		"क्\u200dष":                       "क्\u200dष",
		"👩\u200d❤\ufe0f\u200d👨 ❤\ufe0f":   "👩\u200d❤\ufe0f\u200d👨 ❤\ufe0f",
		"葛\U000e0100":                     "葛\U000e0100",
		"x\ufe0e\ufe01\ufe02":             "x\ufe0e" + `\ufe01\ufe02`,
		"x\u200c\u200d\u200c\u200c":       "x\u200c" + `\u200d\u200c\u200c`,
		"x \u200dy\n\u200d":               `x \u200dy` + "\n" + `\u200d`,
		"😀\U000e0131\U000e0132\U000e0133": "😀\U000e0131" + `\U000e0132\U000e0133`,
		"a\u3164b\u034fc\u115f":           `a\u3164b\u034fc\u115f`,
		"x\u200b\u200d\u200b\u200d":       "x\u200d" + `\u200d`,
	} {
		got := ForModel(in)
		if got != want {
			t.Errorf("%+q is read as %+q, want %+q", in, got, want)
		}
		if again := ForModel(got); again != got {
			t.Errorf("%+q is read as %+q the second time", got, again)
		}
	}
}
