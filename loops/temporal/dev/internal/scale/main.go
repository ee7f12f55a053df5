//go:build linux

// Scale measures many plans on one machine, while workers and the server are killed, and
// says whether anything was lost or done twice. .ci/temporal scale builds what it starts.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/loopwiki/wiki/loops/temporal/dev/internal/history"
	"github.com/loopwiki/wiki/loops/temporal/dev/internal/rig"
)

// options are of one measurement.
type options struct {
	plans, repositories, workers int
	stubs                        bool
	every                        time.Duration // between kills of a worker; 0 is never
	servers                      int           // kills of the server
	pace, limit                  time.Duration
}

// apart is the time between two kills of the server, at least.
const apart = 60 * time.Second

func main() {
	var o options
	flag.BoolVar(&o.stubs, "stubs", false, "let activities do nothing: measure the engine alone, without repositories")
	flag.IntVar(&o.plans, "plans", 200, "number of plans, of two chunks each")
	flag.IntVar(&o.repositories, "repositories", 20, "number of repositories")
	flag.IntVar(&o.workers, "workers", 10, "number of worker processes")
	flag.DurationVar(&o.every, "kill-worker", 10*time.Second, "kill a worker this often; 0 kills none")
	flag.IntVar(&o.servers, "kill-server", 3, "kill the server so many times, a minute apart")
	flag.DurationVar(&o.pace, "pace", 500*time.Millisecond, "how long a maker takes")
	flag.DurationVar(&o.limit, "limit", 40*time.Minute, "give up after this long")
	flag.Parse()
	programs := os.Getenv("WIKI_PROGRAMS")
	if programs == "" || flag.NArg() > 0 || o.plans < 1 || o.repositories < 1 || o.plans%o.repositories != 0 {
		fmt.Fprintln(os.Stderr, "usage: .ci/temporal scale [flags]; plans is a multiple of repositories")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "wiki-scale-")
	if err == nil {
		err = measure(ctx, o, programs, dir)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "scale: %v; what was done is in %s\n", err, dir)
		os.Exit(1)
	}
	_ = os.RemoveAll(dir)
}

// measure runs the plans and prints what they took.
func measure(ctx context.Context, o options, programs, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	f, err := newFleet(o, programs, dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	for n := range o.workers {
		if err := f.Work(n); err != nil {
			return err
		}
	}
	began := time.Now()
	if o.stubs {
		_, err = f.Stub("start", strconv.Itoa(o.plans))
	} else {
		err = begin(ctx, f, o.plans)
	}
	if err != nil {
		return err
	}
	fmt.Printf("%d plans started in %s, load %s\n", o.plans, time.Since(began).Round(time.Second), load())
	killing, enough := context.WithCancel(ctx)
	killed := make(chan error, 1)
	go func() { killed <- kill(killing, f, o) }()
	c, err := client.Dial(client.Options{HostPort: f.Server.Address, Logger: quiet{}})
	if err != nil {
		enough()
		return err
	}
	defer c.Close()
	err = wait(ctx, c, o.plans)
	enough()
	if e := <-killed; err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return report(ctx, c, f, o, began)
}

// newFleet makes repositories, unless stubs need none.
func newFleet(o options, programs, dir string) (*rig.Fleet, error) {
	if o.stubs {
		return rig.NewFleet(programs, dir, 0, 0, 0)
	}
	return rig.NewFleet(programs, dir, o.repositories, o.plans/o.repositories, o.pace)
}

// begin starts all plans, in each repository one after the other.
func begin(ctx context.Context, f *rig.Fleet, plans int) error {
	for n := range plans / len(f.Names) {
		for _, name := range f.Names {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if _, err := f.Begin(name, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// kill kills a worker every so often, and the server a few times.
func kill(ctx context.Context, f *rig.Fleet, o options) error {
	if o.every == 0 {
		return nil
	}
	tick := time.NewTicker(o.every)
	defer tick.Stop()
	server := time.Now().Add(apart / 2)
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		f.Kill(n % o.workers)
		if err := f.Work(n % o.workers); err != nil {
			return err
		}
		if o.servers > 0 && time.Now().After(server) {
			o.servers--
			server = time.Now().Add(apart)
			if err := f.KillServer(); err != nil {
				return err
			}
		}
	}
}

// wait waits until so many workflows have ended.
func wait(ctx context.Context, c client.Client, plans int) error {
	for last := -1; ; {
		done, err := ended(ctx, c)
		if err == nil && done >= plans {
			return nil
		}
		if err == nil && done != last && done/20 != last/20 {
			fmt.Printf("%s %d of %d ended, load %s\n", time.Now().UTC().Format("15:04:05"), done, plans, load())
		}
		if err == nil {
			last = done
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d plans ended: %w", last, plans, ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

// ended counts the workflows that ended for good.
func ended(ctx context.Context, c client.Client) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	plans, err := history.Ended(ctx, c, "default")
	return plans, err
}

// report prints the figures, and is an error if something was lost or done twice.
func report(ctx context.Context, c client.Client, f *rig.Fleet, o options, began time.Time) error {
	plans, err := history.Plans(ctx, c, "default")
	if err != nil {
		return err
	}
	var took, waits []time.Duration
	var events, activities, retries, failed int
	var bytes int64
	last := began
	for _, p := range plans {
		events, bytes, activities, retries = events+p.Events, bytes+p.Bytes, activities+p.Activities, retries+p.Retries
		waits = append(waits, p.Waits...)
		took = append(took, p.Closed.Sub(p.Started))
		if p.Closed.After(last) {
			last = p.Closed
		}
		if p.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
			failed++
		}
	}
	span := last.Sub(began)
	n := float64(len(plans))
	fmt.Printf("plans                     %d in %s, %.1f a minute; %d not completed\n", len(plans), span.Round(time.Second), n/span.Minutes(), failed)
	fmt.Printf("activities                %d, %.1f a second, %.1f a plan; %d attempts again\n", activities, float64(activities)/span.Seconds(), float64(activities)/n, retries)
	fmt.Printf("history a plan            %.0f events, %.1f kB\n", float64(events)/n, float64(bytes)/n/1000)
	fmt.Printf("from ready to started     %s median, %s 95th percentile, %s most\n", history.Quantile(waits, .5), history.Quantile(waits, .95), history.Quantile(waits, 1))
	fmt.Printf("a plan takes              %s median, %s 95th percentile\n", history.Quantile(took, .5).Round(time.Second), history.Quantile(took, .95).Round(time.Second))
	fmt.Printf("memory at most            server %d MB, worker %d MB\n", f.Server.Peak()>>20, f.WorkerPeak()>>20)
	fmt.Printf("database                  %d MB\n", size(f.Server.DB())>>20)
	fmt.Printf("killed                    %d times\n", len(f.Kills()))
	fmt.Printf("load                      %s\n", load())
	if failed > 0 || len(plans) != o.plans {
		return fmt.Errorf("%d of %d plans were completed", len(plans)-failed, o.plans)
	}
	if o.stubs {
		return nil
	}
	calls, err := f.Calls()
	if err != nil {
		return err
	}
	fmt.Printf("calls of agents           %d, %d of them again\n", len(calls), rig.Again(calls))
	doubled, err := f.Doubled()
	if err != nil {
		return err
	}
	commits, err := f.Total()
	if err != nil {
		return err
	}
	if want := 2 * o.plans; commits != want {
		doubled = append(doubled, fmt.Sprintf("%d commits of chunks, not %d", commits, want))
	}
	if len(doubled) > 0 {
		return fmt.Errorf("done twice, or lost:\n%s", strings.Join(doubled, "\n"))
	}
	return nil
}

// load is the load of the machine, which others use too.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

// size is that of a database with its log.
func size(db string) (n int64) {
	parts, _ := filepath.Glob(db + "*")
	for _, p := range parts {
		if info, err := os.Stat(p); err == nil {
			n += info.Size()
		}
	}
	return n
}

// quiet drops what the SDK logs of a server that is away.
type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}
