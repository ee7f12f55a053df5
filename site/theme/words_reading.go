package theme

// ReadingWords are the strings in and around the text of a page.
type ReadingWords struct {
	Diagram, DiagramFailed string
	Section                string // before the name of the section that a link leads to

	// States of tasks other than open and done. TaskOther is followed by the mark.
	TaskStarted, TaskCancelled, TaskMoved, TaskImportant, TaskQuestion, TaskOther string
}

// Task names the state of a task by its mark, as users of Obsidian give it.
func (w *ReadingWords) Task(mark string) string {
	switch mark {
	case "/":
		return w.TaskStarted
	case "-":
		return w.TaskCancelled
	case ">", "<":
		return w.TaskMoved
	case "!":
		return w.TaskImportant
	case "?":
		return w.TaskQuestion
	}
	return w.TaskOther + " " + mark
}

var englishReading = ReadingWords{
	Diagram: "Diagram", DiagramFailed: "This diagram can't be drawn.", Section: "Link to this section",
	TaskStarted: "in progress", TaskCancelled: "cancelled", TaskMoved: "moved", TaskImportant: "important", TaskQuestion: "question", TaskOther: "marked",
}

var germanReading = ReadingWords{
	Diagram: "Diagramm", DiagramFailed: "Dieses Diagramm lässt sich nicht zeichnen.", Section: "Link zu diesem Abschnitt",
	TaskStarted: "begonnen", TaskCancelled: "abgebrochen", TaskMoved: "verschoben", TaskImportant: "wichtig", TaskQuestion: "Frage", TaskOther: "markiert",
}
