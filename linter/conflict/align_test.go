package conflict

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// aligned are statements of two pages that are carried by different constructs. Each
// page is its path, its title and what it says, with bars between; agree is set when both can hold.
type alignedPair struct {
	a, b  string
	agree bool
}

func checkAligned(t *testing.T, pairs []alignedPair) {
	t.Helper()
	t.Parallel()
	for _, c := range pairs {
		t.Run(c.a+" / "+c.b, func(t *testing.T) {
			t.Parallel()
			archive := ""
			for _, page := range []string{c.a, c.b} {
				parts := strings.SplitN(page, "|", 3)
				front, body := "", parts[2]
				if at := strings.Index(body, "---\n"); at > 0 {
					front, body = "---\n"+body[:at]+"---\n", body[at+4:]
				}
				archive += "-- " + parts[0] + ".md --\n" + front + "# " + parts[1] + "\n\n" + body + "\n"
			}
			w := compilertest.Compile(t, compilertest.Write(t, archive))
			found := surest(w, claim.Of)
			if got := len(found) == 0; got != c.agree {
				t.Errorf("agree: %v, want %v", got, c.agree)
				for _, p := range w.Pages() {
					for _, s := range claim.Of(p) {
						t.Logf("%s %s %q %s %v %v %v %v", p.Path, s.From, s.Text, s.Role, s.Value, s.Terms, s.Label, s.Scope)
					}
				}
			}
		})
	}
}

func TestAlignedLaboratory(t *testing.T) {
	checkAligned(t, []alignedPair{
		{"instruments/otter|Otter|The Otter is a benchtop centrifuge. Its rotor turns at 4,000 rpm.", "protocols/pelleting|Pelleting|The rotor of the [[otter]] turns at 3,500 rpm.", false},
		{"samples/storage|Sample storage|Plasma tubes are stored at −80 °C.", "safety/freezers|Freezers|\n| sample | temperature |\n|---|---|\n| Plasma tubes | −70 °C |", false},
		{"cluster/scratch|Scratch|Files on scratch are deleted after 30 days.", "admin/rules|Rules|Scratch files are purged after 60 days.", false},
		{"cluster/partitions|Partitions|\n| partition | nodes | longest run |\n|---|---|---|\n| short | 48 | 4 h |\n| long | 12 | 7 days |", "cluster/faq|Questions|Jobs in the short partition may run for at most 2 hours.", false},
		{"cluster/home|Home directories|A home directory holds up to 50 GB.", "cluster/limits|Limits|\n| limit | value |\n|---|---|\n| Home directory | 80 GB |", false},
		{"instruments/wren|Wren|The Wren is serviced every 6 months.", "instruments/service|Service plan|\n| instrument | serviced |\n|---|---|\n| [[wren]] | every 12 months |", false},
		{"protocols/beads|Bead cleanup|Add 50 µl of beads to each sample.", "protocols/short|Bead cleanup in short|In the [[beads]] protocol 45 µl of beads are added to each sample.", false},
		{"protocols/wash|Washing|The wash buffer contains 80 % ethanol.", "protocols/buffers|Buffers|\n| buffer | ethanol |\n|---|---|\n| Wash buffer | 70 % |", false},
		{"facilities/hall|Freezer hall|The freezer hall is open from 07:00 to 19:00.", "admin/hours|Opening hours|\n| place | open |\n|---|---|\n| [[hall]] | 08:00–18:00 |", false},
		{"samples/labels|Labels|A sample barcode has 10 digits.", "samples/intake|Intake|Sample barcodes have twelve digits.", false},
		{"admin/orders|Orders|Orders above EUR 500 need a second signature.", "admin/budget|Budget|A second signature is needed for orders above EUR 1,000.", false},
		{"facilities/waste|Waste|Solvent waste is collected on Tuesdays.", "safety/solvents|Solvents|Solvent waste is collected on Thursdays.", false},
		{"instruments/finch|Finch|The Finch stands in room 214.", "facilities/rooms|Rooms|\n| instrument | room |\n|---|---|\n| [[finch]] | 216 |", false},
		{"instruments/finch|Finch|owner: Ines Falk\n---\nA plate reader.", "admin/contacts|Contacts|The Finch is owned by Tomas Rehn.", false},
		{"cluster/tarn|Tarn|Tarn runs Rocky Linux 9.", "cluster/software|Software|The login node [[tarn]] runs Rocky Linux 8.", false},
		{"protocols/pcr|Amplification|Amplification runs for 32 cycles.", "protocols/table|Parameters|\n| protocol | parameter | value |\n|---|---|---|\n| [[pcr]] | cycles | 30 |\n| [[pcr]] | anneal temperature | 58 °C |", false},
		{"safety/spill|Spills|A spill of more than 100 ml is reported to the safety officer.", "safety/intro|Introduction|A spill of more than 500 ml is reported to the safety officer.", false},
		{"cluster/backup|Backup|Home directories are backed up.", "cluster/storage|Storage|Home directories are not backed up.", false},
		{"samples/shipping|Shipping|Frozen samples are shipped on Mondays and Tuesdays only.", "samples/desk|Front desk|Frozen samples are shipped on Mondays, Tuesdays and Wednesdays.", false},
		{"decisions/d1|Decision 1: barcodes|status: accepted\n---\nUse barcodes.", "decisions/list|Decisions|\n| decision | status |\n|---|---|\n| [[d1]] | rejected |", false},
		{"pipelines/elm|Elm|The Elm pipeline aligns reads with bwa 0.7.", "pipelines/tools|Tools|\n| pipeline | version | cores |\n|---|---|---|\n| [[elm]] | 2.3 | 8 |", true},
		{"instruments/otter|Otter|The Otter holds 24 tubes.", "instruments/otter-2|Otter 2|The Otter 2 holds 48 tubes.", true},
		{"samples/storage|Sample storage|Plasma is stored at −80 °C.", "samples/transport|Transport|During transport plasma is stored at −20 °C.", true},
		{"cluster/queue|Queue|By default a job gets 4 GB of memory.", "cluster/limits|Limits|\n| limit | value |\n|---|---|\n| Memory of a job | 256 GB |", true},
		{"cluster/quota|Quota|Each user may store 100 GB.", "cluster/groups|Groups|Each group may store 10 TB.", true},
		{"protocols/elute|Elution|Elute in 30 to 50 µl of buffer.", "protocols/notes|Notes|Most people elute in 40 µl of buffer.", true},
		{"instruments/wren|Wren|The Wren needs 45 minutes to warm up.", "instruments/care|Care|The Wren needs about 40 minutes to warm up.", true},
		{"samples/intake|Intake|Samples are logged within 2 hours.", "samples/rush|Rush samples|Rush samples are logged within 15 minutes.", true},
		{"samples/keep|Keeping|Raw images are kept for 24 months.", "samples/keep2|Archive|Raw images are kept for two years.", true},
		{"safety/doors|Doors|The outer door opens at 07:00.", "safety/doors2|Inner doors|The inner door opens at 09:00.", true},
		{"protocols/a|Protocol A|## Materials\n\nThe mix contains 12 µl of primer.", "protocols/b|Protocol B|## Materials\n\nThe mix contains 20 µl of primer.", true},
		{"instruments/swan|Swan|The cold block is kept at 4 °C and the warm block at 37 °C.", "instruments/rules|Rules|The warm block of the Swan is kept at 37 °C.", true},
		{"cluster/nodes|Nodes|In the test cluster a node has 64 GB of memory.", "cluster/more|More nodes|A node has 256 GB of memory.", true},
		{"admin/plan|Plan|From 2027 on the hall will be open until 22:00.", "facilities/hall|Hall|The hall is open until 19:00.", true},
		{"admin/faq|Questions|Could the wash take 20 minutes?", "protocols/wash|Wash|The wash takes 10 minutes.", true},
		{"protocols/dna|Extraction|The column binds up to 10 µg of DNA.", "protocols/load|Loading|The column binds at least 2 µg of DNA.", true},
	})
}

func TestAlignedHospital(t *testing.T) {
	checkAligned(t, []alignedPair{
		{"wards/west|Ward West|Ward West has 24 beds.", "admin/wards|Wards|\n| ward | beds | lead |\n|---|---|---|\n| Ward West | 28 | Dr Aho |", false},
		{"devices/pump|Infusion pump|The alarm of the infusion pump sounds after 30 seconds.", "devices/alarms|Alarms|\n| device | alarm after |\n|---|---|\n| Infusion pump | 45 s |", false},
		{"rules/visits|Visits|Visitors may stay for at most two hours.", "wards/desk|Reception|As in [[visits]], visitors may stay for up to 90 minutes.", false},
		{"drugs/cold|Cold chain|Insulin is stored between 2 and 8 °C.", "drugs/fridge|Fridges|Insulin is stored between 4 and 12 °C.", true},
		{"drugs/cold|Cold chain|Insulin is stored between 2 and 8 °C.", "drugs/fridge|Fridges|Insulin is stored between 10 and 15 °C.", false},
		{"drugs/order|Orders|The pharmacy delivers twice a day.", "wards/supply|Supply|The pharmacy delivers three times a day.", false},
		{"staff/rota|Rota|A night shift lasts 10 hours.", "staff/contract|Contract|Night shifts last 12 hours.", false},
		{"staff/contact|Contact|The porter answers on extension 4410.", "wards/phone|Telephones|\n| who | extension |\n|---|---|\n| Porter | 4411 |", false},
		{"it/records|Patient records|Patient records are kept for ten years.", "law/keeping|Keeping|\n| what | kept |\n|---|---|\n| Patient records | 15 years |", false},
		{"it/records|Patient records|The system runs on Oracle 19.", "it/servers|Servers|Patient records runs on Oracle 21.", false},
		{"devices/mri|MRI|status: operational\n---\nA scanner.", "devices/list|Devices|\n| device | status |\n|---|---|\n| [[mri]] | decommissioned |", false},
		{"devices/mri|MRI|The MRI was installed on 4 May 2021.", "devices/list|Devices|\n| device | installed |\n|---|---|\n| [[mri]] | 2021-06-04 |", false},
		{"rules/masks|Masks|Masks are required in the ward.", "rules/guests|Guests|Masks are not required in the ward.", false},
		{"rules/lab|Samples|Blood samples must reach the laboratory within 60 minutes.", "wards/blood|Drawing blood|Blood samples must reach the laboratory within 2 hours.", false},
		{"food/meals|Meals|Lunch costs 6 euros.", "food/prices|Prices|\n| meal | price |\n|---|---|\n| Lunch | 7.50 € |", false},
		{"wards/west|Ward West|Ward West has 24 beds.", "wards/east|Ward East|Ward East has 28 beds.", true},
		{"drugs/dose|Dose|Adults take 400 mg.", "drugs/child|Children|Children take 200 mg.", true},
		{"drugs/dose|Dose|The usual dose is 400 mg.", "drugs/most|Most|The maximum dose is 1,200 mg.", true},
		{"staff/rota|Rota|A night shift lasts 10 hours.", "staff/day|Day|A day shift lasts 8 hours.", true},
		{"rules/stay|Stay|A bed is held for 2 hours.", "rules/stay2|Holidays|During holidays a bed is held for 6 hours.", true},
		{"it/login|Login|A session ends after 15 minutes.", "it/login2|Login|If the card is removed a session ends after 1 minute.", true},
		{"devices/ct|CT|Until 2023 the CT had 16 rows.", "devices/ct2|CT scanner|The CT has 64 rows.", true},
		{"wards/a|Ward A|The corridor is 40 m long.", "wards/b|Ward B|The corridor is 60 m long.", true},
		{"rules/wash|Hands|Hands are washed for 30 seconds.", "rules/wash2|Washing|Hands are washed for half a minute.", true},
		{"rules/fire|Fire|Fire doors close within 10 seconds.", "rules/fire2|Doors|Fire doors close within 10,000 ms.", true},
		{"law/keep|Keeping|X-rays are kept for at least 10 years.", "it/disk|Archive|X-rays are kept for 30 years.", true},
		{"food/menu|Menu|There are menus such as soup and bread.", "food/kitchen|Kitchen|There are three menus: soup, bread and rice.", true},
		{"admin/meeting|Note|type: meeting\n---\nLunch costs 5 euros.", "food/meals|Meals|Lunch costs 6 euros.", true},
		{"it/test|Test system|In test the queue holds 10 messages.", "it/live|Live system|In production the queue holds 500 messages.", true},
		{"rules/cars|Parking|Staff park for 2 euros a day.", "rules/guests|Guests|Visitors park for 12 euros a day.", true},
	})
}
