package conflict

import "github.com/loopwiki/wiki/schema"

// ranked is how well two mentions fit each other among all that meet.
type ranked struct {
	how            float64 // how well they fit
	better, agrees float64 // see featRank and featElsewhere
}

// fitting is how well a mention fits one of another page.
type fitting struct {
	order int // of the other
	how   float64
	apart bool
}

// rank measures whether two mentions are what each fits best: a value that fits another mention
// of the other page better is not the counterpart of this one.
func rank(all []meeting) []ranked {
	type key struct {
		order int
		page  *schema.Page
	}
	fits, out := map[key][]fitting{}, make([]ranked, len(all))
	for i := range all {
		p := &all[i]
		out[i].how = fit(p.a, p.b)
		for _, pair := range [][2]*mention{{p.a, p.b}, {p.b, p.a}} {
			k := key{pair[0].order, pair[1].said.page}
			fits[k] = append(fits[k], fitting{pair[1].order, out[i].how, p.apart})
		}
	}
	for i := range all {
		p := &all[i]
		if !p.apart {
			continue
		}
		better, agrees := 1.0, 0.0
		for _, pair := range [][2]*mention{{p.a, p.b}, {p.b, p.a}} {
			own, other, same := out[i].how, 0.0, 0.0
			for _, f := range fits[key{pair[0].order, pair[1].said.page}] {
				switch {
				case f.order == pair[1].order: // these two
				case f.apart:
					other = max(other, f.how)
				default:
					same = max(same, f.how)
				}
			}
			better = min(better, own-other)
			agrees = max(agrees, 1+same-own)
		}
		out[i].better, out[i].agrees = max(-2, better), min(2, agrees)
	}
	return out
}

// fit is how well two mentions fit each other, by a few of their features.
func fit(a, b *mention) float64 {
	s, t := a.said, b.said
	ca, _ := covered(s, t)
	cb, _ := covered(t, s)
	how := max(ca, cb) + min(ca, cb)
	if sameEntity(s, t) {
		how += 0.5
	}
	if t.has(a.beside) && s.has(b.beside) {
		how += 0.5
	}
	if (len(a.roles) == 0) != (len(b.roles) == 0) {
		how -= 0.3
	}
	return how
}
