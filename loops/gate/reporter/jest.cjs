// A reporter of jest. It runs in the process that starts the workers.
const fs = require('node:fs')
const path = require('node:path')

const out = fs.openSync(process.env.WIKI_REPORT, 'a')
delete process.env.WIKI_REPORT

class Reporter {
  write (record) { fs.writeSync(out, JSON.stringify(record) + '\n') }
  onRunStart () { this.write({ begin: 'jest' }) }
  onTestResult (test, result) {
    const file = path.relative(process.cwd(), test.path)
    if (result.testExecError) this.write({ name: file, outcome: 'fail' })
    for (const t of result.testResults) {
      const name = [file, ...t.ancestorTitles, t.title].join(' > ')
      this.write({ name, outcome: { passed: 'pass', failed: 'fail' }[t.status] ?? 'skip' })
    }
  }
  onRunComplete () { this.write({ end: 'jest' }) }
}
module.exports = Reporter
