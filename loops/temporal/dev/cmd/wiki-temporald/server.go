package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
	"google.golang.org/protobuf/types/known/durationpb"
)

const (
	localhost   = "127.0.0.1"
	clusterName = "active"
	// retention is how long a namespace keeps runs that ended. What is older is deleted,
	// also for who wants to export its journal.
	retention = 30 * 24 * time.Hour
	// readyPatience is for a machine with much else to do; a server is ready in a second.
	readyPatience = 60 * time.Second
)

type server struct {
	address   string
	namespace string
	temporal  temporal.Server
}

// newServer opens the database and makes a server that does not listen yet.
func newServer(o options) (*server, error) {
	ports, err := freePorts(o.port)
	if err != nil {
		return nil, err
	}
	store := sqlConfig(o.db)
	if err := prepare(store, o); err != nil {
		return nil, err
	}
	address := net.JoinHostPort(localhost, strconv.Itoa(ports[primitives.FrontendService]))
	// Without static hosts a server takes the one that was killed for a second host
	// of its cluster, and waits for it for a minute.
	hosts := map[primitives.ServiceName]static.Hosts{}
	for name, port := range ports {
		hosts[name] = static.SingleLocalHost(net.JoinHostPort(localhost, strconv.Itoa(port)))
	}
	t, err := temporal.NewServer(
		temporal.WithConfig(serverConfig(store, ports, address)),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(hosts),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(log.Config{Level: o.log, Format: "console"}))),
		temporal.WithDynamicConfigClient(dynamic()),
	)
	if err != nil {
		return nil, fmt.Errorf("can't set up the server: %w", err)
	}
	return &server{address: address, namespace: o.namespace, temporal: t}, nil
}

// start returns when the server answers for its namespace.
func (s *server) start() error {
	if err := s.temporal.Start(); err != nil {
		return fmt.Errorf("can't start the server: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyPatience)
	defer cancel()
	for {
		err := s.ask(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer on %s after %s: %w", s.address, readyPatience, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// ask asks the server for its namespace, as a worker does that begins to poll.
func (s *server) ask(ctx context.Context) error {
	c, err := client.DialContext(ctx, client.Options{HostPort: s.address, Namespace: s.namespace, Logger: silent{}})
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: s.namespace})
	return err
}

// stop ends the server, unless another signal comes first.
func (s *server) stop(signals <-chan os.Signal) {
	within(stopPatience, signals, func() { _ = s.temporal.Stop() })
}

// sqlConfig describes the database. One connection holds the file's lock for as long as
// the server lives: SQLite has one writer anyhow, and a second server is refused.
func sqlConfig(db string) *config.SQL {
	if db == inMemory {
		return &config.SQL{
			PluginName:        sqliteplugin.PluginName,
			DatabaseName:      "temporald",
			ConnectAttributes: map[string]string{"mode": "memory", "cache": "private"},
		}
	}
	return &config.SQL{
		PluginName:   sqliteplugin.PluginName,
		DatabaseName: uriPath.Replace(db),
		ConnectAttributes: map[string]string{
			"mode":         "rwc",
			"locking_mode": "exclusive",
			"journal_mode": "wal",
			// A killed process loses nothing; a machine without power may lose what
			// was written last, and then repeats it.
			"synchronous": "normal",
		},
	}
}

// uriPath writes a path as SQLite's URIs have it.
var uriPath = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// prepare makes the database's tables and the namespace where they are missing.
func prepare(store *config.SQL, o options) error {
	if o.db != inMemory {
		if err := os.MkdirAll(filepath.Dir(o.db), 0o700); err != nil {
			return fmt.Errorf("no folder for the database: %w; use --db FILE", err)
		}
		made, err := os.Stat(o.db)
		if errors.Is(err, os.ErrNotExist) || err == nil && made.Size() == 0 {
			err = sqlite.SetupSchema(store)
		}
		if err != nil {
			return unusable(o.db, err)
		}
	}
	n, err := sqlite.NewNamespaceConfig(clusterName, o.namespace, false, nil)
	if err != nil {
		return err
	}
	n.Detail.Config.Retention = durationpb.New(retention)
	if err := sqlite.CreateNamespaces(store, n); err != nil {
		return unusable(o.db, err)
	}
	return nil
}

// unusable says why a database can't be used and what helps.
func unusable(db string, err error) error {
	switch text := err.Error(); {
	case strings.Contains(text, "locked"):
		return fmt.Errorf("database %s is in use by another server; stop it, or use another --db FILE", db)
	case strings.Contains(text, "no such table"), strings.Contains(text, "not a database"):
		return fmt.Errorf("database %s was not made by this program (%w); use another --db FILE", db, err)
	}
	return fmt.Errorf("can't open database %s: %w; use another --db FILE", db, err)
}

// dynamic are settings that differ from those of a cluster: one partition per task
// queue, since there is one host to look for tasks on, and no limit of requests but
// what the machine can do.
func dynamic() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():                  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key():                 1,
		dynamicconfig.FrontendMaxNamespaceRPSPerInstance.Key():                  100_000,
		dynamicconfig.FrontendMaxConcurrentLongRunningRequestsPerInstance.Key(): 100_000,
		dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key():             true,
	}
}

func serverConfig(store *config.SQL, ports map[primitives.ServiceName]int, address string) *config.Config {
	c := &config.Config{
		// Services have twice as long to start, at least.
		Global: config.Global{Membership: config.Membership{MaxJoinDuration: readyPatience}},
		Persistence: config.Persistence{
			DefaultStore:     sqliteplugin.PluginName,
			VisibilityStore:  sqliteplugin.PluginName,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{sqliteplugin.PluginName: {SQL: store}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		PublicClient:        config.PublicClient{HostPort: address},
		Services:            map[string]config.Service{},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: "disabled"},
			Visibility: config.VisibilityArchival{State: "disabled"},
		},
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
			Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
		}},
	}
	for name, port := range ports {
		c.Services[string(name)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnLocalHost: true}}
	}
	return c
}

// freePorts finds a port for each service, at which nobody listens. Only the
// frontend's matters to others.
func freePorts(frontend int) (map[primitives.ServiceName]int, error) {
	ports := map[primitives.ServiceName]int{}
	for _, name := range []primitives.ServiceName{
		primitives.FrontendService, primitives.HistoryService, primitives.MatchingService, primitives.WorkerService,
	} {
		want := 0
		if name == primitives.FrontendService {
			want = frontend
		}
		l, err := net.Listen("tcp", net.JoinHostPort(localhost, strconv.Itoa(want)))
		if err != nil {
			return nil, fmt.Errorf("can't listen on port %d of %s: %w; use another --port", want, localhost, err)
		}
		defer l.Close() // when all have one: else two would have the same
		ports[name] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// silent is a logger for a client whose errors are returned.
type silent struct{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}
