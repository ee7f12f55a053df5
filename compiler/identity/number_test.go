package identity

import "testing"

func TestCompareVersions(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"7.4", "7.10"}, {"version-v8.5.x", "version-v10.4.x"}, {"5.1", "latest"}, {"2", "next"}, {"", "1"}} {
		if compareVersions(pair[0], pair[1]) >= 0 || compareVersions(pair[1], pair[0]) <= 0 {
			t.Errorf("%q is not before %q", pair[0], pair[1])
		}
	}
}
