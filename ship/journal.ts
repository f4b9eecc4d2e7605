import { parseJson } from 'renown/contracts'
import { type Batch, batchBytesMax, type JournalPosition, type LineSource } from './position'
import type { ShipState } from './state'

/** An entry of the journal. */
interface Entry {
  readonly cursor: string
  readonly line: string
}

/** How the journal of systemd is read. */
export interface JournalOptions {
  readonly state: ShipState
  /** More options of journalctl, such as `--unit=nginx`. */
  readonly filter: readonly string[]
  readonly fromStart: boolean
  readonly program?: string
}

const entriesMax = 5_000

/** Reads the journal of systemd through journalctl. The journal keeps what was not sent yet. */
export class Journal implements LineSource {
  readonly name: string
  readonly #options: JournalOptions
  #position: JournalPosition
  #isFromStart: boolean

  constructor(options: JournalOptions) {
    this.name = ['journald', ...options.filter].join(' ')
    this.#options = options
    this.#isFromStart = options.fromStart
    const known = options.state.read<JournalPosition>(this.name)
    this.#position = known ?? { id: crypto.randomUUID(), cursor: '', sent: 0 }
  }

  async next(): Promise<Batch | null> {
    if (this.#position.cursor === '' && !this.#isFromStart) await this.#beginAtEnd()
    const { pending } = this.#position
    const entries = await this.#read(pending?.entries ?? entriesMax)
    const last = entries.at(-1)
    if (!last) return null
    if (pending && last.cursor !== pending.until) {
      throw new Error('The journal no longer has the entries that were being sent. Their lines may be lost.')
    }
    const { id, cursor, sent } = this.#position
    return {
      key: `${id}:${sent}-${sent + entries.length}`,
      body: Buffer.from(entries.map(({ line }) => `${line}\n`).join('')),
      begin: () => this.#save({ id, cursor, sent, pending: { until: last.cursor, entries: entries.length } }),
      accepted: () => this.#save({ id, cursor: last.cursor, sent: sent + entries.length }),
    }
  }

  async close(): Promise<void> {}

  #save(position: JournalPosition): void {
    this.#position = position
    this.#options.state.write(this.name, position)
  }

  async #beginAtEnd(): Promise<void> {
    const [newest] = await this.#run(['--lines=1'], 1)
    if (newest) this.#save({ ...this.#position, cursor: newest.cursor })
    // Whatever comes into an empty journal is new.
    else this.#isFromStart = true
  }

  /** Reads the entries after the cursor: at most so many, and no more than fits into a batch. */
  #read(count: number): Promise<Entry[]> {
    const { cursor } = this.#position
    return this.#run(cursor === '' ? [] : [`--after-cursor=${cursor}`], count)
  }

  async #run(words: readonly string[], count: number): Promise<Entry[]> {
    const { program = 'journalctl', filter } = this.#options
    const fixed = ['--output=json', '--output-fields=MESSAGE', '--no-pager', '--quiet']
    const child = Bun.spawn([program, ...fixed, ...filter, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const problem = child.stderr.text()
    const entries: Entry[] = []
    const decoder = new TextDecoder()
    let rest = ''
    let bytes = 0
    read: for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const entry = entryOf(line)
        bytes += entry.line.length
        if (entries.length > 0 && (entries.length >= count || bytes > batchBytesMax)) break read
        entries.push(entry)
      }
      if (entries.length >= count) break
    }
    child.kill()
    await child.exited
    if (entries.length === 0 && child.exitCode !== 0 && child.signalCode === null) {
      throw new Error(`journalctl failed: ${(await problem).trim().slice(0, 300)}`)
    }
    return entries
  }
}

/** The message of an entry on one line. journalctl prints bytes that are no UTF-8 as numbers. */
function entryOf(text: string): Entry {
  const { __CURSOR: cursor, MESSAGE: message } = parseJson(text) as { __CURSOR: string; MESSAGE?: unknown }
  const said = Array.isArray(message) ? Buffer.from(message).toString() : String(message ?? '')
  return { cursor, line: said.replace(/[\r\n]+/g, ' ') }
}
