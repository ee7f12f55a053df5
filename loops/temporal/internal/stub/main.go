// Stub stands for hosts whose commands cost nothing: what is left is what the engine
// itself takes. The measurement of many plans starts it.
//
//	stub work ADDRESS HOST    carries out commands until a signal ends it
//	stub start ADDRESS PLANS  starts so many plans
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	engine "github.com/loopwiki/wiki/loops/temporal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := act(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "stub:", err)
		os.Exit(1)
	}
}

func act(ctx context.Context, args []string) error {
	if len(args) != 3 {
		return errors.New("usage: stub work ADDRESS HOST | stub start ADDRESS PLANS")
	}
	c, err := client.DialContext(ctx, client.Options{HostPort: args[1], Logger: quiet{}})
	if err != nil {
		return err
	}
	defer c.Close()
	if args[0] == "work" {
		stop, err := start(c, args[2])
		if err != nil {
			return err
		}
		<-ctx.Done()
		stop()
		return nil
	}
	plans, err := strconv.Atoi(args[2])
	for n := 0; n < plans && err == nil; n++ {
		id := fmt.Sprintf("stub-%04d", n)
		_, err = c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: id, TaskQueue: queue}, engine.WorkflowName, input(id))
	}
	return err
}

// quiet drops what the SDK logs of a server that is away.
type quiet struct{}

var _ log.Logger = quiet{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}
