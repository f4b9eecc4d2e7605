import { statfs } from 'node:fs/promises'
import { messageOf } from '../../contracts/errors'
import type { Outbound } from '../../contracts/outbound'
import type { OwnerContext } from '../../contracts/owner'
import type { Check, Finding } from '../../contracts/self-check'
import type { Stalls } from '../../contracts/stalls'
import { dayMs, hourMs } from '../../contracts/time'
import { hitsTable, type Ingest } from '../../contracts/traffic'
import type { ColumnsStore } from '../../stores/columns/port'
import type { Documents } from '../../stores/documents/port'
import type { Restarts } from '../../supervise/messages'
import { advice } from './advice'
import { journalCheck } from './journal-check'
import { modelCheck } from './model-check'
import { pluginChecks } from './plugin-checks'
import { agencyCheck, mailCheck, sourcesCheck } from './setup-checks'
import { stallCheck } from './stall-check'

export interface CheckDeps {
  readonly documents: Documents
  readonly columns: ColumnsStore
  ingest(): Promise<Ingest>
  readonly outbound: Pick<Outbound, 'model' | 'mail'>
  /** Values of the settings that plugins declare. */
  readonly pluginSettings: Readonly<Record<string, unknown>>
  /** Used by the checks of plugins. */
  readonly owner: OwnerContext
  readonly folder: string
  readonly now: () => Date
  /** Processes of the product that ended unexpectedly. */
  restarts(): Restarts
  /** How often the event loop of this process was blocked. */
  stalls(): Stalls
}

/**
 * Runs the checks that only the process with the stores can do. A check that throws has failed. The others still run.
 */
export async function runChecks(deps: CheckDeps): Promise<Check[]> {
  const checks: Record<string, () => Promise<Finding>> = {
    documents: () => documentsCheck(deps),
    columns: () => columnsCheck(deps),
    'double counting': () => receiptsCheck(deps),
    'address lists': () => rangesCheck(deps),
    counter: () => counterCheck(deps),
    deduplication: () => dedupCheck(deps),
    journal: async () => journalCheck(await (await deps.ingest()).state()),
    'disk space': () => diskCheck(deps.folder),
    'first set-up': () => agencyCheck(deps.documents),
    sources: () => sourcesCheck(deps.documents, deps.pluginSettings),
    'language model': () => modelCheck(deps.outbound.model),
    'mail server': () => mailCheck(deps.outbound.mail),
    processes: async () => restartsCheck(deps),
    'event loops': async () =>
      stallCheck(
        { gateway: deps.stalls(), ingest: (await (await deps.ingest()).state()).stalls },
        deps.now(),
      ),
  }
  const own = Object.entries(checks).map(async ([name, check]): Promise<Check> => {
    try {
      const finding = await check()
      return { ...finding, name }
    } catch (error) {
      const found = messageOf(error)
      return { name, status: 'fail', found, mend: advice.readLog }
    }
  })
  return (await Promise.all([...own, pluginChecks(deps.owner)])).flat()
}

async function documentsCheck({ documents }: CheckDeps): Promise<Finding> {
  await documents.ping()
  return { status: 'ok', found: `${documents.kind} answers` }
}

async function columnsCheck({ columns }: CheckDeps): Promise<Finding> {
  await columns.ping()
  const parts = await columns.query<{ result?: number; check_result?: number }>(
    `CHECK TABLE ${columns.own(hitsTable.name)}`,
  )
  const sound = parts.every((part) => Number(part.result ?? part.check_result ?? 1) === 1)
  if (sound) return { status: 'ok', found: `${columns.kind} answers, its parts are sound` }
  return {
    status: 'fail',
    found: `${columns.kind} has damaged parts in ${hitsTable.name}`,
    mend: advice.damagedColumns,
  }
}

/** Checks that no receipt was written twice, which would prove that its segment was counted twice. */
async function receiptsCheck({ columns }: CheckDeps): Promise<Finding> {
  const doubled = await columns.query<{ path: string }>(
    `SELECT path FROM ${hitsTable.name} WHERE kind = 'receipt' GROUP BY path, date HAVING sum(hits) > 1 LIMIT 5`,
  )
  if (doubled.length === 0) return { status: 'ok', found: 'no segment was counted twice' }
  return {
    status: 'fail',
    found: `segments counted twice: ${doubled.map(({ path }) => path).join(', ')}`,
    mend: advice.countedTwice,
  }
}

async function rangesCheck({ ingest }: CheckDeps): Promise<Finding> {
  const lists = await (await ingest()).ranges.status()
  const bad = lists.filter(({ status }) => status === 'stale' || status === 'never_fetched')
  const [doubted] = lists.flatMap(({ in_doubt }) => in_doubt ?? [])
  if (doubted)
    return {
      status: 'warn',
      found: doubted.why,
      mend: advice.doubtedList,
    }
  if (bad.length === 0) return { status: 'ok', found: `${lists.length} lists, all fresh` }
  const names = [...new Set(bad.map(({ operator }) => operator))]
  return {
    status: 'warn',
    found: `${bad.length} of ${lists.length} lists are not fresh (${names.join(', ')}): ${bad[0]?.last_error ?? 'not fetched yet'}`,
    mend: advice.oldLists,
  }
}

async function counterCheck({ ingest }: CheckDeps): Promise<Finding> {
  const health = await (await ingest()).health()
  if (health.ok) return { status: 'ok', found: 'hits are accepted' }
  return {
    status: 'fail',
    found: `hits are refused: ${health.reason ?? 'no reason given'}`,
    mend: advice.refusedHits,
  }
}

async function dedupCheck({ ingest, now }: CheckDeps): Promise<Finding> {
  const { dedupShortened: short } = await (await ingest()).health()
  if (!short) return { status: 'ok', found: 'repeated hits of the last 24 h are recognized' }
  const hours = Math.max(0, (now().getTime() - short.to) / hourMs).toFixed(1)
  const named = short.sites.slice(0, 5).join(', ')
  const more = short.sites.length > 5 ? ` and ${short.sites.length - 5} more` : ''
  const of = named === '' ? '' : ` of ${named}${more}; the other sites have their 24 h`
  const mend = advice.shortMemory
  return { status: 'warn', found: `only repeats of the last ${hours} h are recognised${of}`, mend }
}

const recentMs = dayMs

/** Warns about processes that ended unexpectedly and were restarted. */
function restartsCheck({ restarts, now }: CheckDeps): Finding {
  const ended = Object.entries(restarts()).filter(([, { count }]) => count > 0)
  if (ended.length === 0) return { status: 'ok', found: 'no process ended unexpectedly since the start' }
  const found = ended
    .map(
      ([part, { count, last_at, reason }]) =>
        `the ${part} ended ${count} times, last at ${last_at} (${reason})`,
    )
    .join('; ')
  const isRecent = ended.some(([, { last_at }]) => now().getTime() - Date.parse(last_at ?? '') < recentMs)
  if (!isRecent) return { status: 'ok', found }
  const mend = advice.restarted
  return { status: 'warn', found, mend }
}

/** Checks the free space on the disk of the data folder. */
export async function diskCheck(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const gib = (bavail * bsize) / 2 ** 30
  const found = `${gib.toFixed(1)} GiB free`
  if (gib >= 5) return { status: 'ok', found }
  const mend = advice.fullDisk
  return { status: gib < 1 ? 'fail' : 'warn', found, mend }
}
