package claim_test

import "testing"

// Halves and quarters stand before a unit, behind it and without a number.
func TestHalves(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"behind the unit", "# Kiln\n\nThe glaze is kept for a year and a half.\n", "time=a year and a half", ""},
		{"behind several", "# Kiln\n\nIn two hours and a half the kiln is warm.\n", "time=two hours and a half", ""},
		{"before the unit", "# Ward\n\nA visit takes two and a half hours.\n", "time=two and a half hours", ""},
		{"before a mass", "# Loft\n\nA crate weighs one and a half tonnes.\n", "mass=one and a half tonnes", ""},
		{"a quarter", "# Desk\n\nThe bell rests for a quarter of an hour.\n", "time=a quarter of an hour", ""},
		{"three of them", "# Desk\n\nA tour takes three quarters of an hour.\n", "time=three quarters of an hour", ""},
		{"of the year", "# Desk\n\nThe fee is due in a quarter of the year.\n", "", "time=a quarter of the"},
		{"two things", "# Desk\n\nThe guest gets an hour and a halfway decent chair for it.\n", "", "and a half"},
		{"releases", "# Loom\n\nThe loom needs Python 3.10 to 3.13.\n", "version=Python 3.10 to 3.13", ""},
		{"releases, with a dash", "# Loom\n\nThe loom needs PostgreSQL 14 – 16.\n", "version=PostgreSQL 14 – 16", ""},
		{"from one to another", "# Loom\n\nMoving the loom from Python 3.10 to 3.13 takes a day.\n", "", "3.10 to 3.13"},
	})
}

// What is supposed, is not said to be so.
func TestSupposed(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a hope", "# Desk\n\nThe warden hopes to give guests 40 lockers.\n", "?=40 lockers", ""},
		{"an example of two clauses", "# Desk\n\nFor example, a guest with 3 bags gets 2 tags.\n", "?=3 bags", ""},
		{"what would be", "# Desk\n\nIf a ride cost 10 EUR, you would get 5 EUR.\n", "?money:eur=10 EUR", ""},
		{"what is, under a condition", "# Desk\n\nIf a ride is late, you get 5 EUR.\n", "money:eur=5 EUR", "?money"},
		{"what would be, as a reason", "# Desk\n\nThe desk pays 5 EUR, since 10 EUR would be too much.\n", " money:eur=5 EUR", ""},
	})
}
