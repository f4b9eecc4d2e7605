import { expect } from 'bun:test'
import { appendFileSync, copyFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { clfTime } from '../support/clf-time'
import { withScript } from '../support/forward-script'
import { testWith } from '../support/needs'
import { waitFor } from '../support/wait-for'

const testScript = testWith('curl', 'flock')

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

testScript('the script takes only 200 for an answer: a redirect loses nothing', () =>
  withScript(async ({ run, line, fail, paths }) => {
    line('/moved')
    fail.push('301')
    expect(await run()).not.toBe(0)
    expect(await run()).toBe(0)
    expect(await paths()).toEqual(['/moved'])
  }),
)

testScript('the script tells apart logs that begin with the same comments', () =>
  withScript(async ({ log, run, line, paths }) => {
    for (const path of ['/1', '/2']) {
      writeFileSync(log, '#Version: 1.0\n\n')
      line(path)
      expect(await run()).toBe(0)
      renameSync(log, `${log}.${path.slice(1)}`)
    }
    expect(await paths()).toEqual(['/1', '/2'])
  }),
)

testScript('the script reads on in a rotated log that was touched last', () =>
  withScript(async ({ log, run, line, paths }) => {
    line('/1')
    expect(await run()).toBe(0)
    renameSync(log, `${log}.1`)
    line('/2')
    const soon = Date.now() / 1_000 + 60
    utimesSync(`${log}.1`, soon, soon)
    expect(await run()).toBe(0)
    expect(await paths()).toEqual(['/1', '/2'])
  }),
)

testScript('a line that is too long holds nothing up', () =>
  withScript(async ({ log, run, line, paths }) => {
    line('/before')
    appendFileSync(log, `${'x'.repeat(1_700_000)}\n`)
    line('/after')
    expect(await run()).toBe(0)
    expect(await paths()).toEqual(['/after', '/before'])
  }),
)

testScript('the script refuses a log whose beginning was freed', () =>
  withScript(async ({ log, run, line, posted }) => {
    writeFileSync(log, '\0'.repeat(4_096))
    line('/1')
    expect(await run()).not.toBe(0)
    expect(posted).toEqual([])
  }),
)

testScript('the script can start with the lines that come from now on', () =>
  withScript(async ({ log, run, line, paths }) => {
    line('/old', `${log}.1`)
    line('/today')
    expect(await run({ args: ['now'] })).toBe(0)
    line('/next')
    line('/late', `${log}.1`)
    expect(await run()).toBe(0)
    expect(await paths()).toEqual(['/late', '/next'])
  }),
)
