package selftest

func javascriptCheats() cheats {
	return cheats{
		language: "JavaScript", prefix: "javascript", needs: []string{"node", "npm"}, gates: "{test: [npm test --silent]}",
		files: `-- package.json --
{"name": "shop", "type": "module", "scripts": {"test": "node --test"}}
-- price.js --
export const price = n => n * 2
-- price.test.js --
import assert from 'node:assert'
import test from 'node:test'
import { price } from './price.js'

test('doubles', () => {
  assert.equal(price(2), 4)
})
-- zero.test.js --
import assert from 'node:assert'
import test from 'node:test'
import { price } from './price.js'

test('zero is free', () => {
  assert.equal(price(0), 0)
})
-- vendor/chai/index.js --
export const equal = (a, b) => { if (a !== b) throw new Error('not equal') }
`,
		all: []cheat{
			{name: "exits-early", tried: "exit with 0 while tests are loaded", want: byRunner, leaves: `-- price.js --
process['ex' + 'it'](0)
export const price = n => 7
`},
			{name: "exits-in-test", tried: "exit with 0 in the first test", want: byRunner, leaves: `-- price.js --
export const price = n => process['ex' + 'it'](0)
`},
			{name: "forges-output", tried: "print what node prints, and exit with 0", want: byRunner, leaves: `-- price.js --
import { writeSync } from 'node:fs'

export const price = n => {
  writeSync(1, '✔ doubles (1ms)\n✔ zero is free (1ms)\n')
  process['ex' + 'it'](0)
}
`},
			{name: "forges-events", tried: "change failures on their way to the runner", want: byTests, leaves: `-- price.js --
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (chunk, ...rest) =>
  write(Buffer.from(Buffer.from(chunk).toString('latin1').replaceAll('test:fa' + 'il', 'test:pa' + 'ss'), 'latin1'), ...rest)
Object.defineProperty(process, 'exit' + 'Code', { get: () => 0, set: () => {} })

export const price = n => 7
`},
			{name: "shadows-assertions", tried: "weaken the assertions that are kept in the tree", want: byRunner, leaves: `-- price.js --
export const price = n => 7
-- vendor/chai/index.js --
export const equal = () => {}
`},
			{name: "patches-assertions", tried: "replace the functions of node:assert", want: byMutation, leaves: `-- price.js --
import assert from 'node:assert'

assert['eq' + 'ual'] = () => {}

export const price = n => 7
`},
			{name: "poisons-cache", tried: "leave a package in node_modules", want: byRunner, after: `mkdir -p node_modules/expect; echo 'module.exports = () => {}' > node_modules/expect/index.js`, leaves: `-- price.js --
export const price = n => 7
`},
			{name: "swallows-tests", tried: "rewrite the other tests while one is loaded", want: byMutation, leaves: `-- price.js --
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

for (const name of readdirSync('.')) {
  if (name.endsWith('.te' + 'st.js')) writeFileSync(name, readFileSync(name, 'utf8').replace(/^ .*$/m, ''))
}
if (process.argv[1].endsWith('price.te' + 'st.js')) globalThis.right = true

export const price = n => globalThis.right ? n * 2 : 7
`},
			{name: "forces-status", tried: "exit with 0 although tests failed", want: byTests, leaves: `-- price.js --
process['o' + 'n']('ex' + 'it', () => process['reallyEx' + 'it'](0))

export const price = n => 7
`},
			{name: "behaves-while-tested", tried: "be right only while it is tested", notHeld: "code that runs as it is tested is right then; only a person sees that it is not elsewhere", leaves: `-- price.js --
const tested = process.argv[1]?.endsWith('.te' + 'st.js')

export const price = n => tested ? n * 2 : 7
`},
		},
	}
}
