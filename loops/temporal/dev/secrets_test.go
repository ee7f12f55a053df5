//go:build server && linux

package dev

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

// keyVariable names what encrypts payloads, as in the driver.
const keyVariable = "WIKI_TEMPORAL_KEY"

// TestHistoryHoldsNoSecrets has agents tell a secret of their environment wherever they can.
// It is not in what the server keeps; with a key nothing of the plan can be read there.
func TestHistoryHoldsNoSecrets(t *testing.T) {
	const secret, variable = "s3cr3t-of-the-shop-7d1f", "SHOP_TOKEN"
	for name, key := range map[string]string{"plain": "", "encrypted": strings.Repeat("0123456789abcdef", 4)} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t, 1, 1, 0, 0)
			shop := f.Names[0]
			f.edit(shop, "wiki.yaml", "loops:\n", "loops:\n  env: ["+variable+"]\n")
			checker := filepath.Join(f.Dir, "beside", "checker.sh")
			text, err := os.ReadFile(checker)
			if err != nil {
				t.Fatal(err)
			}
			tells := strings.ReplaceAll(string(text), "I am not sure", "'\"$"+variable+"\"'") + "\necho $" + variable + "\n"
			if err := os.WriteFile(checker, []byte(tells), 0o644); err != nil {
				t.Fatal(err)
			}
			f.Env = append(f.Env, variable+"="+secret)
			if key != "" {
				f.Env = append(f.Env, keyVariable+"="+key)
			}
			if err := f.Work(0); err != nil {
				t.Fatal(err)
			}
			if err := f.Hold("doubt"); err != nil {
				t.Fatal(err)
			}
			run := f.begin(shop, 0)
			f.ends(shop, run, patience, "stopped") // for the secret that the checker wrote
			journal, err := os.ReadFile(filepath.Join(f.Home(shop), ".loopwiki", "runs", run, "journal.jsonl"))
			if err != nil || !bytes.Contains(journal, []byte("the checker wrote a secret")) {
				t.Fatalf("the agents told nothing: %v\n%s", err, journal)
			}
			kept := f.history()
			if bytes.Contains(kept, []byte(secret)) || bytes.Contains(journal, []byte(secret)) {
				t.Error("the secret is in the history")
			}
			if readable := bytes.Contains(kept, []byte("price-00.sh")); readable != (key == "") {
				t.Errorf("%d bytes of history; the plan can be read in it: %v", len(kept), readable)
			}
			if key == "" {
				return
			}
			if code, out, err := f.Run(f.Home(shop), patience, filepath.Join(f.Programs, "wiki-temporal"), "status", run); err != nil || code != 0 {
				t.Errorf("with the key: exit status %d, %v: %s", code, err, out)
			}
			f.Env = f.Env[:len(f.Env)-1]
			code, out, err := f.Run(f.Home(shop), patience, filepath.Join(f.Programs, "wiki-temporal"), "status", run)
			if err != nil || code == 0 || !strings.Contains(out, keyVariable) {
				t.Errorf("without the key: exit status %d, %v: %s", code, err, out)
			}
		})
	}
}

// history is all that the server keeps of workflows, as its bytes, and decompressed.
func (f *fleet) history() (out []byte) {
	f.t.Helper()
	c, err := client.Dial(client.Options{HostPort: f.Server.Address, Logger: silence{}})
	if err != nil {
		f.t.Fatal(err)
	}
	defer c.Close()
	page, err := c.ListWorkflow(f.t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Namespace: "default"})
	if err != nil || len(page.Executions) == 0 {
		f.t.Fatal(len(page.GetExecutions()), err)
	}
	for _, e := range page.Executions {
		all := c.GetWorkflowHistory(f.t.Context(), e.Execution.WorkflowId, e.Execution.RunId, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for all.HasNext() {
			event, err := all.Next()
			if err != nil {
				f.t.Fatal(err)
			}
			text, err := proto.Marshal(event)
			if err != nil {
				f.t.Fatal(err)
			}
			out = append(out, text...)
			inflate := func(_ *proxy.VisitPayloadsContext, all []*common.Payload) ([]*common.Payload, error) {
				plain, err := converter.NewZlibCodec(converter.ZlibCodecOptions{}).Decode(all)
				for _, p := range plain {
					out = append(out, p.Data...)
				}
				return all, err
			}
			if err := proxy.VisitPayloads(f.t.Context(), event, proxy.VisitPayloadsOptions{Visitor: inflate, SkipSearchAttributes: true}); err != nil {
				f.t.Fatal(err)
			}
		}
		memo, err := proto.Marshal(e)
		if err != nil {
			f.t.Fatal(err)
		}
		out = append(out, memo...)
	}
	return out
}
