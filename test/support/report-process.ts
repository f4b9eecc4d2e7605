import { appendFileSync } from 'node:fs'
import { where } from '../../core/contracts/where'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker, type Worker } from '../../core/jobs/worker'
import type { Collection, Documents } from '../../core/stores/documents/port'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import leads from '../../plugins/leads'
import reports from '../../plugins/reports'
import { requestReport } from '../../plugins/reports/acts/request-report'
import { Report } from '../../plugins/reports/records/Report'
import { ReportFile } from '../../plugins/reports/records/ReportFile'
import reviews from '../../plugins/reviews'
import { type Gate, startGate } from './harness'
import { jobs } from './platforms'
import { quietLog } from './quiet-log'
import { waitFor } from './wait-for'

/** A store that says before and after each write to reports and their files. */
interface Watch {
  before?(): void
  /** `ended` is the state of a report that this write ended. */
  after?(ended: { readonly id: string; readonly status: string } | null): void
}

function watched(documents: Documents, { before, after }: Watch): Documents {
  const collection = (entity: typeof Report) => {
    const rows = documents.collection(entity) as Collection
    if (entity.name !== Report.name && entity.name !== ReportFile.name) return rows
    const own: Partial<Collection> = {
      async insert(row) {
        before?.()
        await rows.insert(row)
        after?.(null)
      },
      async updateOne(matching, patch, options) {
        before?.()
        const row = await rows.updateOne(matching, patch, options)
        const status = (patch.set as { readonly status?: string } | undefined)?.status ?? ''
        after?.(row && (status === 'completed' || status === 'failed') ? { id: row.id, status } : null)
        return row
      },
      async remove(matching) {
        before?.()
        const count = await rows.remove(matching)
        after?.(null)
        return count
      },
    }
    return new Proxy(rows, {
      get: (target, name) => {
        const value = own[name as keyof Collection] ?? target[name as keyof Collection]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  return new Proxy(documents, {
    get: (target, name) => {
      if (name === 'collection') return collection
      const value = target[name as keyof Documents]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The gate and the store of a process that makes reports. */
export interface ReportProcess {
  readonly gate: Gate
  /** Asks for reports of as many days, from a day of the year 2020 on. */
  ask(day: number, count: number): Promise<void>
  /** Makes reports until none is open. */
  makeAll(): Promise<void>
  stop(): Promise<void>
}

/** Opens the reports of a store in a file. */
export async function openReports(path: string, watch: Watch = {}): Promise<ReportProcess> {
  const now = () => new Date()
  const store = await openSqlite({ path, now, log: quietLog })
  const documents = watched(store, watch)
  const gate = await startGate({ documents, plugins: [jobs, leads, reviews, reports] })
  const held: { worker?: Worker } = {}
  const { queues, jobs: tasks } = gate.registry
  const { owner } = gate
  const location = async () => {
    const [known] = await owner.rows(BusinessLocation).list({ limit: 1 })
    return (
      known ??
      gate.put(BusinessLocation, {
        business_name: 'Bakery',
        is_active: true,
        is_prospect: false,
        auto_response_enabled: false,
      })
    )
  }
  return {
    gate,
    async ask(day, count) {
      const at = await location()
      const { workspace_id } = at
      const rows = owner.rows(Report)
      for (let n = day; n < day + count; n++) {
        const date = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10)
        const asked = { period_start: date, period_end: date, source: 'agent', today: '2026-11-20' } as const
        await requestReport(
          { insert: (row) => rows.insert({ ...row, workspace_id }), list: (query) => rows.list(query) },
          { ...asked, location: at, template: 'monthly_reputation_report' },
        )
      }
    },
    async makeAll() {
      held.worker ??= startWorker({
        queues,
        documents,
        owner,
        clock: { now },
        log: quietLog,
        pollEveryMs: 10,
        random: () => 0,
      })
      const isDone = async () => {
        await tasks.get('queuedReports')?.run(owner, new AbortController().signal)
        return (await owner.rows(Report).count(where.eq('is_open', true))) === 0
      }
      await waitFor(isDone, { what: 'the end of all reports', timeoutMs: 120_000, everyMs: 30 })
    },
    async stop() {
      await held.worker?.stop()
      await gate.stop()
      await store.close()
    },
  }
}

/** Writes down the id of each process that this one starts. */
function noteChildren(file: string): void {
  const spawn = Bun.spawn
  Bun.spawn = ((...given: Parameters<typeof spawn>) => {
    const child = spawn(...given)
    appendFileSync(file, `${child.pid}\n`)
    return child
  }) as typeof spawn
}

/**
 * As a process of its own: asks for two reports, makes all that are open, and ends, unless it kills itself before. It
 * writes down which reports it ended, and which processes it started. Arguments: store, file for ended reports, file for
 * processes, day of the first report, and the write at which it kills itself: `before 3`, `after 3`, or `never 0`.
 */
if (import.meta.main) {
  const [, , path = '', ended = '', children = '', day = '0', when = 'never', at = '0'] = process.argv
  let writes = 0
  const strike = (moment: string) => {
    if (moment === when && writes === Number(at)) process.kill(process.pid, 'SIGKILL')
  }
  noteChildren(children)
  const watch: Watch = {
    before() {
      writes++
      strike('before')
    },
    after(report) {
      if (report) appendFileSync(ended, `${report.id} ${report.status}\n`)
      strike('after')
    },
  }
  const made = await openReports(path, watch)
  await freeLeases(made.gate.documents)
  process.stdout.write('started\n')
  await made.ask(Number(day), 2)
  await made.makeAll()
  process.exit(0)
}
