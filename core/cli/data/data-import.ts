import * as v from 'valibot'
import { type End, endSchema, type ImportedLines, type LineFault } from '../../transfer/format'
import type { Cli } from '../cli'
import { chunksOf } from '../import/import-chunks'
import type { Source } from '../import/import-source'
import { progressBar } from '../import/progress'
import type { Link } from '../link'
import { printAnswer } from '../print/print'
import { exitCodes } from '../print/terminal'

const chunkLimits = { bytes: 2 ** 20, lines: 1_000 }
const conflictsShown = 20

interface Tally {
  inserted: number
  skipped: number
  conflicts: number
  readonly shown: LineFault[]
  readonly counts: Record<string, number>
}

/** Imports an export chunk by chunk, and compares the rows with the counts at its end. */
export async function importData(cli: Cli, link: Link, source: Source, merge: boolean): Promise<void> {
  const bar = progressBar(cli.terminal)
  const tally: Tally = { inserted: 0, skipped: 0, conflicts: 0, shown: [], counts: {} }
  try {
    const end = await readAll(link, source, merge, tally, (lines) =>
      bar.show({
        share: source.size ? Math.min(1, source.position() / source.size) : null,
        lines,
        note: `${tally.inserted} inserted`,
      }),
    )
    mustAgree(end, tally.counts)
    await link.post('/data/finish')
  } finally {
    bar.clear()
  }
  const { inserted, skipped, conflicts, shown, counts } = tally
  printAnswer(cli.terminal, cli.json(), {
    source: source.name,
    inserted,
    skipped,
    conflicts,
    counts,
    ...(cli.json() ? { reasons: shown } : {}),
  })
  for (const { line, reason } of shown) cli.terminal.err(`  line ${line}: ${reason}\n`)
  if (conflicts > 0) cli.exit(exitCodes.failed)
}

async function readAll(
  link: Link,
  source: Source,
  merge: boolean,
  tally: Tally,
  onProgress: (lines: number) => void,
): Promise<End> {
  const decoder = new TextDecoder()
  let lines = 0
  let isBegun = false
  let end: End | null = null
  for await (const chunk of chunksOf(source.text(), 0, [], chunkLimits)) {
    if (end) throw new Error(`Line ${lines + 1} comes after the end record.`)
    let text = decoder.decode(chunk.bytes)
    if (!isBegun) {
      text = await begin(link, text, merge)
      isBegun = true
    }
    const cut = cutEnd(text)
    end = cut.end
    add(tally, await take(link, cut.text, lines + 1, merge))
    lines += chunk.lines
    onProgress(lines)
  }
  if (!isBegun) throw new Error('The file is empty.')
  if (end) return end
  throw new Error(
    `The file ends after line ${lines} without its end record, so it is incomplete. The rows before that were imported. Import the complete file with --merge.`,
  )
}

/** Returns the header. Replaces its line by an empty one, so that line numbers stay right. */
async function begin(link: Link, text: string, merge: boolean): Promise<string> {
  const newline = text.indexOf('\n')
  const first = newline < 0 ? text : text.slice(0, newline)
  await link.post(`/data/receive?merge=${merge}`, parse(first))
  return text.slice(first.length)
}

function cutEnd(text: string): { text: string; end: End | null } {
  const trimmed = text.trimEnd()
  const start = trimmed.lastIndexOf('\n') + 1
  const parsed = trimmed.startsWith('{"end"', start)
    ? v.safeParse(endSchema, parse(trimmed.slice(start)))
    : null
  return parsed?.success ? { text: text.slice(0, start), end: parsed.output } : { text, end: null }
}

const take = (link: Link, text: string, line: number, merge: boolean): Promise<ImportedLines> =>
  link.post<ImportedLines>(`/data/take?line=${line}&merge=${merge}`, new TextEncoder().encode(text))

function add(tally: Tally, { inserted, skipped, conflicts, counts }: ImportedLines): void {
  tally.inserted += inserted
  tally.skipped += skipped
  tally.conflicts += conflicts.length
  tally.shown.push(...conflicts.slice(0, conflictsShown - tally.shown.length))
  for (const [name, count] of Object.entries(counts)) tally.counts[name] = (tally.counts[name] ?? 0) + count
}

function mustAgree({ counts }: End, read: Readonly<Record<string, number>>): void {
  const names = new Set([...Object.keys(counts), ...Object.keys(read)])
  const wrong = [...names].filter((name) => (counts[name] ?? 0) !== (read[name] ?? 0))
  if (wrong.length === 0) return
  const said = wrong.map(
    (name) => `${name}: ${read[name] ?? 0} lines, ${counts[name] ?? 0} by the end record`,
  )
  throw new Error(
    `The file is incomplete (${said.join('; ')}). Its rows were imported. Import the complete file with --merge.`,
  )
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
