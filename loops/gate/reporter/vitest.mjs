// A reporter of vitest. It runs in the process that starts the workers.
import { openSync, writeSync } from 'node:fs'
import { relative } from 'node:path'

const out = openSync(process.env.WIKI_REPORT, 'a')
delete process.env.WIKI_REPORT
const write = record => writeSync(out, JSON.stringify(record) + '\n')

export default class {
  onInit () { write({ begin: 'vitest' }) }
  onTestRunEnd (modules, errors) { // since 3
    for (const module of modules) {
      const path = relative(process.cwd(), module.moduleId)
      if (module.errors().length > 0) write({ name: path, outcome: 'fail' })
      for (const test of module.children.allTests()) {
        write({ name: path + ' > ' + test.fullName, outcome: { passed: 'pass', failed: 'fail' }[test.result().state] ?? 'skip' })
      }
    }
    this.end(errors)
  }
  onFinished (files = [], errors = []) {
    if (this.ended) return
    for (const file of files) {
      const path = relative(process.cwd(), file.filepath)
      if (file.result?.state === 'fail' && file.tasks.length === 0) write({ name: path, outcome: 'fail' })
      this.tests(path, file.tasks)
    }
    this.end(errors)
  }
  end (errors) {
    if (errors.length > 0) write({ name: 'unhandled error', outcome: 'fail' })
    write({ end: 'vitest' })
    this.ended = true
  }
  tests (above, tasks) {
    for (const task of tasks) {
      const name = above + ' > ' + task.name
      if (task.tasks) this.tests(name, task.tasks)
      else write({ name, outcome: { pass: 'pass', fail: 'fail' }[task.result?.state] ?? 'skip' })
    }
  }
}
