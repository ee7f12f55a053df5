package lsp

import "encoding/json"

// The shapes of the protocol, as far as they are used, by the names of the specification.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type locationLink struct {
	Origin    *textRange `json:"originSelectionRange,omitempty"`
	URI       string     `json:"targetUri"`
	Range     textRange  `json:"targetRange"`
	Selection textRange  `json:"targetSelectionRange"`
}

type textDocumentIdentifier struct {
	URI string `json:"uri"`
}

type documentParams struct {
	Document textDocumentIdentifier `json:"textDocument"`
}

type positionParams struct {
	documentParams
	Position position `json:"position"`
}

type initializeParams struct {
	RootURI      *string            `json:"rootUri"`
	RootPath     *string            `json:"rootPath"`
	Folders      []workspaceFolder  `json:"workspaceFolders"`
	Capabilities clientCapabilities `json:"capabilities"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// clientCapabilities are what a client says that it can.
type clientCapabilities struct {
	General struct {
		Encodings []string `json:"positionEncodings"`
	} `json:"general"`
	Window struct {
		Progress bool `json:"workDoneProgress"`
	} `json:"window"`
	Workspace struct {
		Edit struct {
			DocumentChanges bool     `json:"documentChanges"`
			Operations      []string `json:"resourceOperations"`
		} `json:"workspaceEdit"`
		Watched struct {
			Dynamic bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
	} `json:"workspace"`
	Document struct {
		Publish *struct {
			Related bool `json:"relatedInformation"`
		} `json:"publishDiagnostics"`
		Pull       *struct{} `json:"diagnostic"`
		Definition struct {
			Links bool `json:"linkSupport"`
		} `json:"definition"`
		Hover struct {
			Formats []string `json:"contentFormat"`
		} `json:"hover"`
		Symbol struct {
			Nested bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
	} `json:"textDocument"`
}

type diagnostic struct {
	Range    textRange            `json:"range"`
	Severity int                  `json:"severity"`
	Code     string               `json:"code"`
	Source   string               `json:"source"`
	Message  string               `json:"message"`
	Related  []relatedInformation `json:"relatedInformation,omitempty"`
}

// Severities of a diagnostic.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

type relatedInformation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

// documentEdit is a TextDocumentEdit.
type documentEdit struct {
	Document struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"` // null for a file that is not open
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

// fileOperation is a CreateFile or RenameFile.
type fileOperation struct {
	Kind   string `json:"kind"`
	URI    string `json:"uri,omitempty"`
	OldURI string `json:"oldUri,omitempty"`
	NewURI string `json:"newUri,omitempty"`
}

type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []any                 `json:"documentChanges,omitempty"` // documentEdit or fileOperation
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markupContent `json:"contents"`
	Range    *textRange    `json:"range,omitempty"`
}

type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

type completionItem struct {
	Label  string    `json:"label"`
	Kind   int       `json:"kind,omitempty"`
	Detail string    `json:"detail,omitempty"`
	Sort   string    `json:"sortText,omitempty"`
	Filter string    `json:"filterText,omitempty"`
	Edit   *textEdit `json:"textEdit,omitempty"`
}

// Kinds of completion items.
const (
	completeValue     = 12
	completeField     = 5
	completeKeyword   = 14
	completeFile      = 17
	completeReference = 18
)

type codeActionParams struct {
	documentParams
	Range   textRange `json:"range"`
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Preferred   bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
}

type documentSymbol struct {
	Name      string           `json:"name"`
	Kind      int              `json:"kind"`
	Range     textRange        `json:"range"`
	Selection textRange        `json:"selectionRange"`
	Children  []documentSymbol `json:"children,omitempty"`
}

type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

// Kinds of symbols: a page is a file, a heading a string, as in other servers for
// markdown.
const (
	symbolFile   = 1
	symbolString = 15
)

type documentLink struct {
	Range   textRange `json:"range"`
	Target  string    `json:"target,omitempty"`
	Tooltip string    `json:"tooltip,omitempty"`
}

type foldingRange struct {
	Start int    `json:"startLine"`
	End   int    `json:"endLine"`
	Kind  string `json:"kind,omitempty"`
}

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

type prepareRenameResult struct {
	Range       textRange `json:"range"`
	Placeholder string    `json:"placeholder"`
}

type renameFilesParams struct {
	Files []struct {
		OldURI string `json:"oldUri"`
		NewURI string `json:"newUri"`
	} `json:"files"`
}

type watchedFilesParams struct {
	Changes []struct {
		URI string `json:"uri"`
	} `json:"changes"`
}

type openParams struct {
	Document struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	Document struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	Changes []contentChange `json:"contentChanges"`
}

// contentChange replaces a range, or without one the whole text.
type contentChange struct {
	Range *textRange `json:"range"`
	Text  string     `json:"text"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type referenceParams struct {
	positionParams
	Context struct {
		Declaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type symbolParams struct {
	Query string `json:"query"`
}
