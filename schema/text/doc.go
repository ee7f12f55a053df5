// Package text keeps what people and agents wrote from acting on who reads the
// output: a terminal, a log of CI, a viewer of reports. Text goes in, and comes
// out with every character that acts or deceives instead of being seen shown as
// an escape: `\x1b`, `\u202e`, and � for bytes that are no UTF-8. A line end \r\n is
// written as \n.
//
// There are two levels. A [Writer] escapes whatever is written to it, so that no
// command can forget to. [Writer.Printf] also keeps each value on its line: a
// line break in a title or in the name of a file can't fake another line of
// output. A value of several lines is passed as [Block].
//
// Escape sequences of the program itself can't be distinguished from those in a page once
// both are text. So they are values, [Style] and [Sequence], that only constants
// of the source can make, and only Printf writes them.
package text
