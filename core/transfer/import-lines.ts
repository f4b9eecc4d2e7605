import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import { AppliedMigration } from '../stores/AppliedMigration'
import { type ImportedLines, type LineFault, lineSchema, type Part, type Row } from './format'

/** Number of lines that are checked at once. More would block other requests. */
const turnLines = 200
const faultsMax = 20

interface Read {
  readonly line: number
  readonly part: Part
  readonly row: Row
}

/** Checks every line, then inserts. A chunk with an invalid line inserts nothing. */
export async function importLines(
  parts: ReadonlyMap<string, Part>,
  text: string,
  firstLine: number,
  isMerge: boolean,
  patience: Patience = importPatience,
): Promise<ImportedLines> {
  const reads = await readAll(parts, text, firstLine)
  const counts: Record<string, number> = {}
  for (const { part } of reads) counts[part.name] = (counts[part.name] ?? 0) + 1
  let inserted = 0
  let skipped = 0
  const conflicts: LineFault[] = []
  for (const [part, group] of Map.groupBy(reads, (read) => read.part)) {
    const looks = isMerge || part.name === AppliedMigration.name
    const rows = group.map(({ row }) => row)
    const existing = looks ? await patiently(() => part.existing(rows), patience) : new Set<number>()
    const fresh = group.filter((_, index) => !existing.has(index))
    const failures = fresh.length > 0 ? await insertRows(part, fresh, patience) : []
    for (const { index, reason } of failures) conflicts.push({ line: fresh[index]?.line ?? 0, reason })
    skipped += existing.size
    inserted += fresh.length - failures.length
  }
  return { inserted, skipped, conflicts, counts }
}

/** How long an import waits for a store that is away or busy, and the pause between two tries. */
interface Patience {
  readonly forMs: number
  readonly pauseMs: number
}

const importPatience: Patience = { forMs: 10 * 60_000, pauseMs: 2_000 }

/** Runs a step again while a store is away or busy. */
async function patiently<T>(step: () => Promise<T>, { forMs, pauseMs }: Patience): Promise<T> {
  const end = performance.now() + forMs
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error
      await Bun.sleep(pauseMs)
    }
  }
}

const isUnavailable = (error: unknown) => error instanceof Error && error.name === 'UnavailableError'

type Failures = Awaited<ReturnType<Part['insert']>>

/**
 * Inserts rows, and tries again while a store is away. An insert that got no answer may have stored some of its rows, so those that
 * are there afterwards are its own.
 */
async function insertRows(part: Part, reads: readonly Read[], patience: Patience): Promise<Failures> {
  let left = reads.map(({ row }, index) => ({ row, index }))
  let tries = 0
  const known = () => part.existing(left.map(({ row }) => row))
  return patiently(async () => {
    if (++tries > 1) {
      const stored = await known()
      left = left.filter((_, place) => !stored.has(place))
    }
    if (left.length === 0) return []
    const failures = await part.insert(left.map(({ row }) => row))
    if (failures.length === 0) return []
    // The insert before may have gone on at the server until now.
    const late = tries > 1 ? await known() : new Set<number>()
    return failures
      .filter(({ index }) => !late.has(index))
      .map(({ index, reason }) => ({ index: left[index]?.index ?? 0, reason }))
  }, patience)
}

async function readAll(parts: ReadonlyMap<string, Part>, text: string, firstLine: number): Promise<Read[]> {
  const reads: Read[] = []
  const faults: LineFault[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (index % turnLines === turnLines - 1) await Bun.sleep(0)
    if (line === '') continue
    const read = readLine(parts, line)
    if ('reason' in read) faults.push({ line: firstLine + index, reason: read.reason })
    else reads.push({ line: firstLine + index, ...read })
    if (faults.length === faultsMax) break
  }
  if (faults.length === 0) return reads
  const errors = faults.map(({ line, reason }) => ({
    code: 'invalid_field',
    message: `line ${line}: ${reason}`,
  }))
  throw new Refusal('conflict', 'The file has lines that cannot be imported here.', { errors })
}

function readLine(parts: ReadonlyMap<string, Part>, text: string): Omit<Read, 'line'> | { reason: string } {
  const parsed = v.safeParse(lineSchema, parseJson(text))
  if (!parsed.success) return { reason: 'expected {"in":"<record type>","row":{…}}' }
  const part = parts.get(parsed.output.in)
  if (!part) return { reason: `there is no record type or table ${parsed.output.in}` }
  const checked = part.check(parsed.output.row)
  return 'reason' in checked ? checked : { part, row: checked.row }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
