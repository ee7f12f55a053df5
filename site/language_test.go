package site

import (
	"strings"
	"testing"
)

func TestScriptLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"Latin", "# Über die Wache\n\nEin Satz.", "en"},
		{"nothing", "", "en"},
		{"digits", "# 2026\n\n1, 2, 3", "en"},
		{"Japanese", "# 時計\n\n東京の時計は正しい。", "ja"},
		{"Japanese with English terms", "# Kubernetes のデプロイ\n\nDeployment を作成して、Pod の状態を確認する。", "ja"},
		{"Chinese", "# 时钟\n\n东京的时钟是准确的。", "zh"},
		{"Chinese that names a Japanese word", "# 假名\n\n" + strings.Repeat("假名是日语的表音文字", 5) + "の", "zh"},
		{"Korean", "# 시계\n\n도쿄의 시계는 정확하다.", "ko"},
		{"Arabic", "# الساعة\n\nالساعة في طوكيو دقيقة.", "ar"},
		{"Hebrew", "# שעון\n\nהשעון בטוקיו מדויק.", "he"},
		{"Cyrillic", "# Часы\n\nЧасы в Токио точные.", "und"},
		{"Greek", "# Ρολόι\n\nΤο ρολόι.", "und"},
		{"English that names a Japanese word", "# The clock\n\nThe word for clock is 時計 in Japanese, and nothing else.", "en"},
		{"Japanese around much code", "# 時計\n\n時計を見る。\n\n```go\n" + strings.Repeat("func clock() time.Time { return time.Now() }\n", 20) + "```\n\n正しい。", "ja"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := siteOf(t, "p.md", "---\ntitle: x\n---\n"+c.text)
			if got := scriptLanguage(s.wiki.Page("p")); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPageLanguageAndDirection(t *testing.T) {
	t.Parallel()
	const japanese, arabic = "# 時計\n\n東京の時計は正しい。\n", "# الساعة\n\nالساعة في طوكيو دقيقة.\n"
	for _, c := range []struct{ name, config, page, want string }{
		{"by the script", "", japanese, `<html lang="ja">`},
		{"by the script, from right to left", "", arabic, `<html lang="ar" dir="rtl">`},
		{"by the configuration", "language: de\n", japanese, `<html lang="de">`},
		{"by front matter", "language: de\n", "---\nlang: he\n---\n# Text\n", `<html lang="he" dir="rtl">`},
		{"direction by front matter", "", "---\nlang: en\ndir: rtl\n---\n# Text\n", `<html lang="en" dir="rtl">`},
		{"direction by front matter, against the script", "", "---\ndir: ltr\n---\n" + arabic, `<html lang="ar">`},
		{"a language that is none", "", "---\nlang: '\"><script>'\n---\n# Text\n", `<html lang="en">`},
		{"a direction that is none", "", "---\ndir: up\n---\n# Text\n", `<html lang="en">`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			html := render(t, siteOf(t, "wiki.yaml", "root: .\n"+c.config, "p.md", c.page, "index.md", "# Home\n"), "p.html")
			if !strings.Contains(html, "\n"+c.want+"\n") {
				t.Errorf("no %s in %.200s", c.want, html)
			}
		})
	}
}

// Lists are in the language of most pages.
func TestListLanguage(t *testing.T) {
	t.Parallel()
	const japanese = "# 時計\n\n東京の時計は正しい。\n"
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"most are Japanese", []string{"a.md", japanese, "b.md", japanese, "c.md", "# Clock\n"}, "ja"},
		{"one is Japanese", []string{"a.md", japanese, "b.md", "# Clock\n", "c.md", "# Day\n"}, "en"},
		{"most often Japanese, but not most", []string{"a.md", japanese, "b.md", japanese, "c.md", "# Clock\n", "d.md", "# الساعة\n", "e.md", "# שעון\n"}, "en"},
		{"configured", []string{"wiki.yaml", "root: .\nlanguage: fr\n", "a.md", japanese}, "fr"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := siteOf(t, c.files...).language(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
