// Package docs makes the work list of the documentation loop. A wiki and a range of
// commits go in; the pages to look at come out, each with its reasons, the strongest first.
//
// A page is listed if it says something that the commits concern: a value, a name, a
// declaration, a quotation, cited lines, a list of members. Code that a page declares as
// its source counts if more changed than what functions do inside. A path on a page is no
// reason. [Bindings.Rank] ranks by paths alone, to measure on histories without code. No
// model is called.
package docs
