import { deflateRawSync } from 'node:zlib'
import { csvParts, type FileColumn, type Sheet, xlsxParts } from 'renown/pages'

const rowCount = Number(process.env.BENCH_ROWS ?? 50_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const columns: readonly FileColumn[] = [
  { name: 'id' },
  { name: 'written_at', type: 'instant' as const },
  { name: 'platform' },
  { name: 'stars', type: 'rating' as const },
  { name: 'text' },
]

/**
 * Writes 50,000 rows as a workbook and as CSV, beside deflating the same CSV in one piece. Prints the best time of
 * several rounds, the peak of the memory and the growth since the start of this process.
 */
export async function run(): Promise<void> {
  const began = process.memoryUsage.rss()
  const peak = { rss: began }
  const watch = () => {
    peak.rss = Math.max(peak.rss, process.memoryUsage.rss())
  }
  const sheet: Sheet = { name: 'Reviews', columns, rows: { [Symbol.iterator]: rows } }
  const workbook = await best(() => lengthOf(xlsxParts([sheet]), watch))
  const written = await best(() => lengthOf(csvParts(sheet), watch))
  const { rss } = peak
  const text = (await Array.fromAsync(csvParts(sheet))).join('')
  const floor = await best(async () => deflateRawSync(text).length)
  console.log(`${rowCount.toLocaleString('en')} rows of ${columns.length} columns`)
  print('deflate the CSV (the floor)', floor, floor)
  print('workbook', workbook, floor)
  print('CSV', written, floor)
  console.log(`  peak memory ${mb(rss)} MB, ${mb(rss - began)} MB more than before`)
}

function* rows() {
  for (let row = 0; row < rowCount; row++) {
    const at = new Date(Date.UTC(2026, 0, 1) + row * 60_000).toISOString()
    const text = `=HYPERLINK("${row}") & the plumber came ${row % 60} minutes late, "but" repaired the boiler & left <b>no</b> mess`
    yield [`rev_${row}`, at, 'google', (row % 9) / 2 + 1, text]
  }
}

async function lengthOf(parts: AsyncIterable<string | Uint8Array>, onPart: () => void): Promise<number> {
  let length = 0
  for await (const part of parts) {
    length += part.length
    onPart()
  }
  return length
}

interface Measured {
  readonly ms: number
  readonly bytes: number
}

async function best(work: () => Promise<number>): Promise<Measured> {
  let ms = Number.POSITIVE_INFINITY
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    bytes = await work()
    ms = Math.min(ms, performance.now() - began)
  }
  return { ms, bytes }
}

const mb = (bytes: number) => Math.round(bytes / 1e6)

const print = (name: string, { ms, bytes }: Measured, floor: Measured) =>
  console.log(
    `  ${name.padEnd(30)} ${Math.round(ms).toString().padStart(6)} ms ${(ms / floor.ms).toFixed(1).padStart(6)} × the floor ${(bytes / 1e6).toFixed(1).padStart(6)} MB`,
  )
