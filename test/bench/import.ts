import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip, gzipSync } from 'node:zlib'
import { importSource } from '../../core/cli/import/import-run'
import { openSource } from '../../core/cli/import/import-source'
import { link } from '../../core/cli/link'
import { readSettings } from '../../core/contracts/settings'
import { createAdmin } from '../../core/product/admin'
import { createIngest } from '../../ingest'
import { site } from '../ingest/support/ingest'
import { silentLog } from '../ingest/support/journal'
import { measured, median, type Spent } from '../support/cpu'
import { drawnLine } from '../support/drawn-line'

const rounds = 3
const linesPerPart = 50_000

/**
 * `bun run bench import [lines]`: a gzipped access log, every second line an agent's, from the file to the journal's
 * sync, by the command's own code and the ingest in one process, as where no product runs. Beside it what any import
 * has to do: decompress the file and split it into lines, with Node's streams as they come and in the large pieces that
 * the import reads. Ten million lines unless told otherwise.
 */
export async function run(): Promise<void> {
  const lines = Number(process.argv[3] ?? 10_000_000)
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-import-'))
  try {
    const path = join(folder, 'access.log.gz')
    const textBytes = await writeLog(path, lines)
    const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
    console.log(`${lines} lines, ${megabytes(textBytes)}, gzipped ${megabytes(statSync(path).size)}`)
    const spent = { plain: [] as Spent[], large: [] as Spent[], imported: [] as Spent[] }
    for (let round = 0; round < rounds; round++) {
      const plain = () => createReadStream(path).pipe(createGunzip()) as AsyncIterable<Uint8Array>
      spent.plain.push(await measured(() => splitAlone(plain(), lines)))
      spent.large.push(await measured(() => splitAlone(sourceOf(path).text(), lines)))
      spent.imported.push(await importInto(join(folder, `data-${round}`), path, lines))
    }
    report(lines, spent)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(lines: number, spent: Record<'plain' | 'large' | 'imported', readonly Spent[]>) {
  const said = (what: string, rounds: readonly Spent[]) => {
    const wallMs = median(rounds.map((one) => one.wallMs))
    const cpuMs = median(rounds.map((one) => one.cpuMs))
    console.log(
      `${what}: ${(wallMs / 1000).toFixed(1)} s, ${((1000 * cpuMs) / lines).toFixed(2)} µs CPU a line`,
    )
    return { wallMs, cpuMs }
  }
  const plain = said('decompressed and split alone', spent.plain)
  const large = said('the same in large pieces', spent.large)
  const whole = said('imported, to the sync of the journal', spent.imported)
  const times = (least: Spent, key: keyof Spent) => (whole[key] / least[key]).toFixed(2)
  for (const [what, least] of Object.entries({
    'decompressing and splitting': plain,
    'the same in large pieces': large,
  }))
    console.log(`${times(least, 'cpuMs')} times the CPU of ${what}, ${times(least, 'wallMs')} times its time`)
  console.log('goal: at most 3')
}

/** As the import reads it. */
const sourceOf = (path: string) => openSource(path, () => (async function* () {})())

async function splitAlone(text: AsyncIterable<Uint8Array>, wanted: number) {
  const decoder = new TextDecoder()
  let lines = 0
  let rest = ''
  for await (const piece of text) {
    const split = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = split.pop() ?? ''
    lines += split.length
  }
  if (lines !== wanted) throw new Error(`${lines} lines in place of ${wanted}`)
}

async function importInto(directory: string, path: string, wanted: number): Promise<Spent> {
  const ingest = await createIngest({
    settings: readSettings({ JOURNAL_BYTES_MAX: String(2 ** 40), DISK_FREE_BYTES_MIN: '0' }),
    columns: { path: directory },
    directory,
    sites: { sites: [site] },
    now: () => new Date(),
    log: silentLog,
    flusher: () => ({ look() {}, drain: async () => {}, trouble: () => null, stop: async () => {} }),
    fetch: (async () => new Response(null, { status: 503 })) as unknown as typeof fetch,
  })
  const admin = createAdmin({
    ingest: async () => ingest,
    sites: async () => ({ sites: [site] }),
  } as unknown as Parameters<typeof createAdmin>[0])
  const spent = await measured(async () => {
    const { tally } = await importSource({
      link: link(false, admin, async () => {}),
      source: sourceOf(path),
      siteId: site.site_id,
      dataFolder: directory,
      now: () => new Date(),
      isStopping: () => false,
      onProgress: () => {},
    })
    if (tally.lines !== wanted || tally.accepted !== wanted / 2) throw new Error(JSON.stringify(tally))
  })
  await ingest.stop()
  return spent
}

/** Written in parts, each compressed by itself. */
async function writeLog(path: string, lines: number): Promise<number> {
  const file = createWriteStream(path)
  let bytes = 0
  for (let first = 0; first < lines; first += linesPerPart) {
    const part = Array.from({ length: Math.min(linesPerPart, lines - first) }, (_, n) => drawnLine(first + n))
    const text = Buffer.from(`${part.join('\n')}\n`)
    bytes += text.length
    if (!file.write(gzipSync(text, { level: 6 }))) await new Promise((resolve) => file.once('drain', resolve))
  }
  await new Promise((resolve) => file.end(resolve))
  return bytes
}
