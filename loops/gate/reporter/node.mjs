// A reporter of node:test. It runs in the process that starts the test files, never in
// theirs, and takes the name of its file out of what they inherit.
import { openSync, writeSync } from 'node:fs'
import { relative } from 'node:path'

const path = process.env.WIKI_REPORT
delete process.env.WIKI_REPORT
const top = process.cwd()

export default async function * (events) {
  const out = openSync(path, 'a')
  const write = record => writeSync(out, JSON.stringify(record) + '\n')
  write({ begin: 'node' })
  const groups = new Map() // by file: the names above a test
  for await (const { type, data } of events) {
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue
    const file = data.file ?? ''
    const above = groups.get(file) ?? []
    if (type === 'test:start') {
      groups.set(file, [...above.slice(0, data.nesting), data.name])
      continue
    }
    if (data.details?.type === 'suite' && type === 'test:pass' || data.name === file) {
      if (type === 'test:fail') write({ name: relative(top, file), outcome: 'fail' })
      continue
    }
    const name = [relative(top, file), ...above.slice(0, data.nesting), data.name].join(' > ')
    const skipped = data.skip !== undefined || data.todo !== undefined
    write({ name, outcome: type === 'test:fail' ? data.todo !== undefined ? 'skip' : 'fail' : skipped ? 'skip' : 'pass' })
  }
  write({ end: 'node' })
  yield ''
}
