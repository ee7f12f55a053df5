// Wiki-temporald is a development server of Temporal in one process: for trying
// loops on Temporal on one machine, and for tests. It keeps everything in one
// SQLite file, has neither users nor encryption, and so listens on 127.0.0.1 only.
// A team runs Temporal's own server instead; see wiki/10_DOMAIN and
// wiki/20_SYSTEM/scale.md.
//
// # Exit status
//
//	0    help was asked for; the server itself runs until a signal ends it
//	2    usage
//	3    the port is taken, or the database can't be opened
//	130  interrupted
//	143  terminated
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const help = `Run a development server of Temporal on 127.0.0.1, for trying loops on Temporal
on one machine. It has neither users nor encryption and is not for production.

When it is ready, it prints one line on standard output, and nothing else there:

  ready: 127.0.0.1:7233 namespace=default db=/home/ada/.cache/wiki/temporald.db

USAGE
  wiki-temporald [flags]

EXAMPLES
  wiki-temporald
  wiki-temporald --port 0 --db :memory:    # for a test: any port, nothing kept
  wiki-temporald --db ./runs.db --namespace shop

FLAGS
`

const helpExit = `
EXIT STATUS
  0    never; the server runs until a signal ends it
  2    usage
  3    the port is taken, or the database cannot be opened
  130  interrupted
  143  terminated
`

// stopPatience is how long a server that was told to stop may finish what it does.
// What it does not finish then is as after a crash: the database has it.
const stopPatience = 10 * time.Second

const (
	exitUsage       = 2
	exitEnvironment = 3
)

func main() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	os.Exit(run(os.Args[1:], signals, os.Stdout, os.Stderr))
}

// run serves until a signal comes, and returns the exit code.
func run(args []string, signals <-chan os.Signal, out, errs io.Writer) int {
	o, err := parse(args, out, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(errs, "wiki-temporald: %v; see wiki-temporald --help\n", err)
		return exitUsage
	}
	s, err := newServer(o)
	if err == nil {
		err = s.start()
	}
	if err != nil {
		fmt.Fprintf(errs, "wiki-temporald: %v\n", err)
		return exitEnvironment
	}
	fmt.Fprintf(out, "ready: %s namespace=%s db=%s\n", s.address, o.namespace, o.db)
	sig := <-signals
	s.stop(signals)
	if sig == syscall.SIGTERM {
		return 143
	}
	return 130
}

// options are what a person can choose.
type options struct {
	port      int    // 0 is any
	db        string // an absolute path, or inMemory
	namespace string
	log       string
}

// inMemory is the name of a database that ends with the process.
const inMemory = ":memory:"

func parse(args []string, out, errs io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("wiki-temporald", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.IntVar(&o.port, "port", 7233, "listen on port `N` of 127.0.0.1; 0 picks any")
	f.StringVar(&o.db, "db", "", "keep everything in `FILE`; "+inMemory+" keeps nothing\n(default wiki/temporald.db in the user's cache folder)")
	f.StringVar(&o.namespace, "namespace", "default", "create the namespace `NAME` if it is missing;\nit keeps ended runs for 30 days")
	f.StringVar(&o.log, "log", "error", "write the server's log from this `LEVEL` on to standard error:\ndebug, info, warn or error")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, help)
		f.SetOutput(out)
		f.PrintDefaults()
		fmt.Fprint(out, helpExit)
		return o, err
	case err != nil:
		return o, err
	case f.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case o.port < 0 || o.port > 65535:
		return o, fmt.Errorf("--port %d is not a port; use 0 to 65535", o.port)
	case o.namespace == "":
		return o, errors.New("--namespace is empty; use a name")
	}
	switch o.log {
	case "debug", "info", "warn", "error":
	default:
		return o, fmt.Errorf("--log %s is not a level; use debug, info, warn or error", o.log)
	}
	o.db, err = database(o.db)
	return o, err
}

// database is where the database lies: what a run waits for may come days later, so by
// default it outlives the process, where the system lets a person delete it at will.
func database(name string) (string, error) {
	if name == inMemory {
		return name, nil
	}
	if name == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no cache folder for the database (%w); use --db FILE", err)
		}
		name = filepath.Join(cache, "wiki", "temporald.db")
	}
	return filepath.Abs(name)
}

// within runs f, for so long at most or until another signal comes.
func within(d time.Duration, signals <-chan os.Signal, f func()) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	go func() {
		defer cancel()
		f()
	}()
	select {
	case <-ctx.Done():
	case <-signals:
	}
}
