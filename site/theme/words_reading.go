package theme

// ReadingWords are the strings in and around the text of a page.
type ReadingWords struct {
	Diagram, DiagramFailed string
}

var englishReading = ReadingWords{
	Diagram: "Diagram", DiagramFailed: "This diagram can't be drawn.",
}

var germanReading = ReadingWords{
	Diagram: "Diagramm", DiagramFailed: "Dieses Diagramm lässt sich nicht zeichnen.",
}
