import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { everything, where } from '../../core/contracts/where'
import { Job } from '../../core/jobs/Job'
import { readPdf } from '../../plugins/reports/files/report-files'
import { Report } from '../../plugins/reports/records/Report'
import { ReportFile } from '../../plugins/reports/records/ReportFile'
import { openReports } from '../support/report-process'
import { passTime, waitFor } from '../support/wait-for'

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 100 : 2))
/**
 * When a process is killed: before or after its so many-th write to reports and their files, or a random moment after its
 * start. The first two writes ask for reports. Each report then takes about six.
 */
const moments = [
  'after 4',
  'before 5',
  'anywhere',
  'after 6',
  'before 4',
  'after 5',
  'anywhere',
  'before 7',
  'after 7',
  'before 3',
  'after 3',
  'anywhere',
  'before 8',
  'after 8',
  'before 6',
  'after 2',
  'before 12',
  'after 10',
]
const program = resolve(import.meta.dir, '../support/report-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-reports-'))
const [path, ended, children] = ['documents.sqlite', 'ended', 'children'].map((name) => join(folder, name))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const linesOf = (file = '') =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []

/** Whether a process still renders. Its number may belong to another process meanwhile. */
function isRenderer(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reports/pdf/child.ts')
  } catch {
    return false
  }
}

const first = async (stream: ReadableStream<Uint8Array>) => {
  const reader = stream.getReader()
  await reader.read()
  reader.releaseLock()
}

test(`reports end once and whole, though their process is killed ${kills} times`, async () => {
  let killed = 0
  for (let n = 0; killed < kills; n++) {
    expect(n).toBeLessThan(4 * kills + 4)
    const at = moments[n % moments.length] ?? 'anywhere'
    const [when = '', write = '0'] = at.split(' ')
    const running = Bun.spawn(
      [process.execPath, program, path, ended, children, String(n * 2), when, write] as string[],
      { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
    )
    if (at === 'anywhere') {
      await first(running.stdout)
      await passTime(Math.random() * 700)
      running.kill('SIGKILL')
    }
    const code = await running.exited
    expect([0, 137]).toContain(code)
    if (code === 137) killed++
  }
  const last = await openReports(path ?? '')
  await last.makeAll()
  const { owner } = last.gate
  const reports = await owner.rows(Report).list({ limit: 10_000 })
  const states = Map.groupBy(reports, ({ status }) => status)
  const completed = states.get('completed') ?? []
  const failed = states.get('failed') ?? []

  expect(completed.length + failed.length).toBe(reports.length)
  expect(reports.length).toBeGreaterThanOrEqual(kills)
  expect(reports.filter(({ render_token: one, render_token_until: end }) => one ?? end)).toEqual([])
  const jobs = await last.gate.documents.collection(Job).find({ where: everything, limit: 10_000 })
  const attempts = jobs.filter(({ queue }) => queue === 'make-report').map(({ attempt }) => attempt)
  // The fourth claim of a job ends it, because its process was killed three times.
  expect(Math.max(...attempts)).toBeLessThanOrEqual(4)
  expect(failed.filter(({ error_message: why }) => why !== 'Its process died each time')).toEqual([])

  // A process may be killed after a write and before it noted it, but no report ends twice.
  const noted = new Map(linesOf(ended).map((line) => line.split(' ') as [string, string]))
  expect(linesOf(ended).length).toBe(noted.size)
  const states_ = new Map(reports.map(({ id, status }) => [id, status as string]))
  expect([...noted].filter(([id, status]) => states_.get(id) !== status)).toEqual([])

  for (const report of completed) {
    const pdf = Buffer.from((await readPdf(owner, report.pdf_url ?? '')) ?? [])
    expect(pdf.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(pdf.toString('latin1', pdf.length - 8).trimEnd()).toEndWith('%%EOF')
  }
  const own = completed.map(({ pdf_url = '' }) => pdf_url.slice(-40, -4))
  const files = await owner.rows(ReportFile).list({ where: where.ne('file', ''), limit: 10_000 })
  expect(files.filter(({ file }) => !own.includes(file))).toEqual([])
  await last.stop()

  await waitFor(() => !linesOf(children).some(isRenderer), { what: 'the end of all renderers' })
  if (process.env.RENOWN_KILLS) {
    const groups = Object.entries(Object.groupBy(attempts, String))
    const byAttempts = Object.fromEntries(groups.map(([one, same = []]) => [one, same.length]))
    const counts = { killed, reports: reports.length, completed: completed.length, failed: failed.length }
    console.log({ ...counts, attempts: byAttempts, renderers: linesOf(children).length })
  }
}, 3_600_000)
