import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from '../../support/first-line'
import { passTime } from '../../support/wait-for'

const folder = mkdtempSync(join(tmpdir(), 'renown-open-columns-'))
const support = join(import.meta.dir, '../../support')
const core = join(import.meta.dir, '../../../core')
const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const saidBy = async (child: Bun.Subprocess<'ignore', 'pipe', 'ignore'>) =>
  (await firstLine(child.stdout)).trim()

/** A process that opens the embedded columns of the folder, says how that ended, and keeps them open. */
function opener(isPatient: boolean) {
  const program = `
    import { openColumnStore } from '${core}/stores/open.ts'
    import { quietLog as log } from '${support}/quiet-log.ts'
    const target = { path: '${join(folder, 'columns')}' }
    try {
      await openColumnStore(target, { log, now: () => new Date(), isPatient: ${isPatient} })
      console.log('open')
      setInterval(() => {}, 1_000)
    } catch (error) {
      console.log(error.held ? 'held' : String(error))
    }`
  const child = Bun.spawn([process.execPath, '-e', program], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  children.push(child)
  return child
}

test('a start waits for columns that another process is releasing, and a command says that they are in use', async () => {
  const first = opener(true)
  expect(await saidBy(first)).toBe('open')
  expect(await saidBy(opener(false))).toBe('held')
  const second = opener(true)
  const opened = saidBy(second)
  // Long enough for a first attempt, which fails.
  const early = await Promise.race([opened, passTime(1_500).then(() => 'waits')])
  expect(early).toBe('waits')
  first.kill('SIGKILL')
  await first.exited
  expect(await opened).toBe('open')
}, 60_000)
