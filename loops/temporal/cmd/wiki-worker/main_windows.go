// Wiki-worker does not run on Windows, which can't keep track of an agent's processes.
package main

import "os"

func main() {
	os.Stderr.WriteString("wiki-worker: workers don't run on Windows, which can't keep track of an agent's processes; use WSL\n")
	os.Exit(3)
}
