import { expect } from 'bun:test'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { token } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { type OpenIngest, withOpenIngest } from '../ingest/support/open-ingest'
import { clfTime } from '../support/clf-time'
import { testWith } from '../support/needs'
import { codeOf } from '../support/set-up-pages'
import { waitFor } from '../support/wait-for'

const testScript = testWith('curl', 'flock')

interface Tested extends OpenIngest {
  readonly log: string
  /** Runs the script once, and resolves with its exit code. */
  run(): Promise<number>
  /** Appends a line without an id, to the log unless another file is named. */
  line(path: string, file?: string): void
  /** What was counted, in alphabetical order. */
  paths(): Promise<string[]>
}

const withScript = (work: (tested: Tested) => Promise<void>) =>
  withOpenIngest(async (open) => {
    const { folder, url, ingest, directory } = open
    const log = join(folder, 'log/access.log')
    mkdirSync(join(folder, 'log'))
    const script = await codeOf('senders/rsyslog', 'sh', {
      '/var/log/renown/nginx.log': log,
      '/var/lib/renown': join(folder, 'state'),
      'https://ingest.example.com': url,
      '<forwarder token>': token,
      '-mmin +1': '-mmin +0.02',
    })
    writeFileSync(join(folder, 'renown-forward'), script, { mode: 0o700 })
    await work({
      ...open,
      log,
      run: () =>
        Bun.spawn([join(folder, 'renown-forward')], { stdio: ['ignore', 'ignore', 'ignore'] }).exited,
      line: (path, file = log) =>
        appendFileSync(
          file,
          `127.0.0.1 - - [${clfTime(new Date())}] "GET ${path} HTTP/1.1" 200 5 "-" "GPTBot/1.3"\n`,
        ),
      async paths() {
        await ingest.flush()
        return (await readJournal(directory)).hits.map(({ path }) => path).sort()
      },
    })
  })

testScript('the script sends the same bytes again after a lost answer, though the log has grown', () =>
  withScript(async ({ run, line, fail, total, paths }) => {
    line('/a')
    fail.push('503', 'after')
    expect(await run()).not.toBe(0)
    line('/b')
    expect(await run()).not.toBe(0)
    line('/c')
    expect(await run()).toBe(0)
    expect(total('duplicate')).toBe(1)
    expect(await paths()).toEqual(['/a', '/b', '/c'])
  }),
)

testScript('the script leaves a line alone until its end is written', () =>
  withScript(async ({ log, run, line, paths, total }) => {
    line('/whole')
    const half = `127.0.0.1 - - [${clfTime(new Date())}] "GET /half HTTP/1.1" 200 5 `
    appendFileSync(log, half)
    expect(await run()).toBe(0)
    appendFileSync(log, '"-" "GPTBot/1.3"\n')
    expect(await run()).toBe(0)
    expect(await paths()).toEqual(['/half', '/whole'])
    expect(total('rejected')).toBe(0)
  }),
)

testScript('the script reads what was rotated several times while it did not run', () =>
  withScript(async ({ log, run, line, paths }) => {
    line('/1')
    expect(await run()).toBe(0)
    line('/2')
    renameSync(log, `${log}.2`)
    line('/3', `${log}.1`)
    line('/4')
    const now = Date.now() / 1_000
    utimesSync(`${log}.2`, now - 20, now - 20)
    utimesSync(`${log}.1`, now - 10, now - 10)
    expect(await run()).toBe(0)
    expect(await paths()).toEqual(['/1', '/2', '/3', '/4'])
  }),
)

testScript('the script reads what a server still writes to a renamed log', () =>
  withScript(async ({ log, run, line, paths }) => {
    line('/1')
    expect(await run()).toBe(0)
    renameSync(log, `${log}.1`)
    line('/2')
    expect(await run()).toBe(0)
    line('/3', `${log}.1`)
    const counted = async () => {
      line('/more')
      await run()
      const all = await paths()
      return all.includes('/2') && all.includes('/3')
    }
    await waitFor(counted, { what: 'both files', everyMs: 200 })
    const all = await paths()
    expect(all.filter((path) => path !== '/more')).toEqual(['/1', '/2', '/3'])
  }),
)

testScript('the script finishes the copy of a log that was copied and cut', () =>
  withScript(async ({ log, run, line, paths }) => {
    line('/1')
    expect(await run()).toBe(0)
    line('/2')
    copyFileSync(log, `${log}.1`)
    truncateSync(log, 0)
    line('/3')
    line('/4')
    await waitFor(async () => (await run()) === 0 && (await paths()).length === 4, {
      what: 'the copy',
      everyMs: 200,
    })
    expect(await paths()).toEqual(['/1', '/2', '/3', '/4'])
  }),
)

testScript('two runs at a time post a line once', () =>
  withScript(async ({ run, line, paths }) => {
    for (let n = 0; n < 50; n++) line(`/${n}`)
    await Promise.all([run(), run(), run()])
    expect(await paths()).toHaveLength(50)
  }),
)
