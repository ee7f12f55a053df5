//go:build linux

package rig

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
)

// Hosts are two hosts with addresses of their own: network namespaces of this machine,
// with one link between them. They share its files, so a repository's origin is reached
// while the link is cut.
type Hosts struct {
	Server, Worker                       string // names of the namespaces
	ServerAddress, WorkerAddress, device string
}

// made counts the hosts of this process.
var made atomic.Int32

// NewHosts makes two hosts; the error says what is missing on a machine that can't.
func NewHosts() (*Hosts, error) {
	if _, err := exec.LookPath("ip"); err != nil {
		return nil, errors.New("the program ip is missing; install iproute2")
	}
	id := strconv.Itoa(os.Getpid()%100_000) + string(rune('a'+made.Add(1)%26)) // a device has 15 characters
	h := &Hosts{
		Server: "wiki-s" + id, Worker: "wiki-w" + id, device: "ws" + id,
		ServerAddress: "10.231.7.1", WorkerAddress: "10.231.7.2",
	}
	peer := "ww" + id
	for _, args := range []string{
		"netns add " + h.Server,
		"netns add " + h.Worker,
		"-n " + h.Server + " link add " + h.device + " type veth peer name " + peer + " netns " + h.Worker,
		"-n " + h.Server + " address add " + h.ServerAddress + "/30 dev " + h.device,
		"-n " + h.Worker + " address add " + h.WorkerAddress + "/30 dev " + peer,
		"-n " + h.Server + " link set lo up",
		"-n " + h.Worker + " link set lo up",
		"-n " + h.Server + " link set " + h.device + " up",
		"-n " + h.Worker + " link set " + peer + " up",
	} {
		if err := ip(args); err != nil {
			_ = h.Close()
			return nil, err
		}
	}
	return h, nil
}

// Close removes the hosts. Processes on them go on, without a network.
func (h *Hosts) Close() error {
	return errors.Join(ip("netns delete "+h.Server), ip("netns delete "+h.Worker))
}

// Cut cuts the link: what the worker sends is lost without an error.
func (h *Hosts) Cut() error { return ip("-n " + h.Server + " link set " + h.device + " down") }

// Mend ends a cut.
func (h *Hosts) Mend() error { return ip("-n " + h.Server + " link set " + h.device + " up") }

// On is what is put before a command so that it runs on a host.
func (h *Hosts) On(host string) []string { return []string{"ip", "netns", "exec", host} }

func ip(args string) error {
	out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", args, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// Relay passes connections on from one address to another until accepting fails. The
// development server listens on its own host only; this is how another one reaches it.
func Relay(listen, target string) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println("relay:", l.Addr())
	for {
		in, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer in.Close()
			out, err := net.Dial("tcp", target)
			if err != nil {
				return
			}
			defer out.Close()
			go func() {
				_, _ = io.Copy(out, in)
				_ = out.Close()
			}()
			_, _ = io.Copy(in, out)
		}()
	}
}
