import type { BatchReason, ImportAnswer, ReasonCount } from '../../contracts/traffic'
import { CommandError, type Link } from '../link'
import { type Chunk, chunksOf } from './import-chunks'
import type { Source } from './import-source'
import { emptyTally, type ImportState, type ImportTally, type StateFile, stateFile } from './import-state'
import { createTextHash, type TextHash } from './text-hash'

export interface ImportJob {
  readonly link: Pick<Link, 'post'>
  readonly source: Source
  readonly siteId: string
  readonly dataFolder: string
  readonly now: () => Date
  /** Checked between parts. */
  isStopping(): boolean
  onProgress(tally: ImportTally, agents: Agents): void
}

/** Lines by the agent they were classified as. */
export type Agents = Readonly<Record<string, number>>

export interface ImportResult {
  /** The counts of this run. */
  readonly tally: ImportTally
  readonly agents: Agents
  readonly reasons: readonly BatchReason[]
  /** Lines that did not count normally, by reason. */
  readonly by_reason: readonly ReasonCount[]
  readonly resumed_at_line: number | null
}

/** The start of an import: the text from there, and a hash of the text before it. */
interface Beginning {
  readonly pieces: AsyncIterable<Uint8Array>
  readonly hasher: TextHash
  readonly state: ImportState | null
  readonly file: StateFile | null
}

const reasonsMax = 20
const retryForMs = 60_000

/** Maximum chunks without an answer: one is counted while another is synced. */
const sentMax = 2

/**
 * Imports a log chunk by chunk. Each chunk is recorded before it is sent, and its id is made from its position and
 * the text up to its end. So a later run finishes an interrupted one without counting twice.
 */
export async function importSource(job: ImportJob): Promise<ImportResult> {
  const { pieces, hasher, state, file } = await begin(job)
  const progress = startProgress(job, state, hasher.digest(), file)
  const sent: Sent[] = []
  try {
    for await (const chunk of chunksOf(pieces, state?.offset ?? 0, state?.sent_to)) {
      if (job.isStopping()) break
      const textHash = hasher.update(chunk.bytes).digest()
      progress.sent(chunk)
      const answer = send(job, chunk, idOf(job, chunk, textHash))
      // The chunk waits for the previous one, whose own failure ends the import.
      answer.catch(() => {})
      sent.push({ chunk, textHash, answer })
      if (sent.length >= sentMax) await progress.answered(sent)
    }
    while (sent.length > 0) await progress.answered(sent)
  } finally {
    await Promise.allSettled(sent.map(({ answer }) => answer))
    progress.save()
  }
  return progress.result()
}

interface Sent {
  readonly chunk: Chunk
  /** The hash of the text to the end of the chunk. */
  readonly textHash: string
  readonly answer: Promise<ImportAnswer>
}

function startProgress(job: ImportJob, state: ImportState | null, textHash: string, file: StateFile | null) {
  const linesBefore = state?.tally.lines ?? 0
  const reasons: BatchReason[] = []
  const byReason = new Map<string, ReasonCount>()
  const agents: Record<string, number> = {}
  let run = emptyTally
  let offset = state?.offset ?? 0
  let prefix = textHash
  let sentTo = state?.sent_to ?? []

  function count({ chunk, textHash }: Sent, answer: ImportAnswer) {
    for (const { line, reason } of answer.reasons) {
      if (reasons.length < reasonsMax) reasons.push({ line: linesBefore + run.lines + line, reason })
    }
    for (const { outcome, reason, lines } of answer.by_reason ?? []) {
      const key = `${outcome} ${reason}`
      byReason.set(key, { outcome, reason, lines: lines + (byReason.get(key)?.lines ?? 0) })
    }
    const { accepted, ignored, rejected, duplicate } = answer
    run = sum(run, { lines: chunk.lines, accepted, ignored, rejected, duplicate })
    for (const [agent, lines] of Object.entries(answer.agents)) agents[agent] = (agents[agent] ?? 0) + lines
    offset = chunk.end
    prefix = textHash
    sentTo = sentTo.filter((end) => end > offset)
    job.onProgress(run, agents)
  }

  const save = () => {
    if (offset > 0 || sentTo.length > 0)
      file?.write({
        site_id: job.siteId,
        source: job.source.name,
        offset,
        prefix,
        sent_to: sentTo,
        tally: sum(state?.tally ?? emptyTally, run),
        updated_at: job.now().toISOString(),
      })
  }
  return {
    /** Called before the chunk is sent. */
    sent({ end }: Chunk) {
      if (!sentTo.includes(end)) sentTo = [...sentTo, end]
      save()
    },
    /**
     * Waits for the answer to the oldest chunk that was sent. Without an answer, the chunk stays in the list.
     */
    async answered(sent: Sent[]) {
      const [first] = sent
      if (!first) return
      count(first, await first.answer)
      sent.shift()
    },
    save,
    result: (): ImportResult => ({
      tally: run,
      agents,
      reasons,
      by_reason: [...byReason.values()].sort((one, other) => other.lines - one.lines),
      resumed_at_line: state ? linesBefore : null,
    }),
  }
}

async function begin({ source, siteId, dataFolder }: ImportJob): Promise<Beginning> {
  const fresh = (file: StateFile | null) => ({
    pieces: source.text(),
    hasher: createTextHash(),
    state: null,
    file,
  })
  if (source.size === null) return fresh(null)
  const head = await firstLine(source.text())
  for (let nth = 0; ; nth++) {
    const file = stateFile(dataFolder, siteId, head, nth)
    const state = file.read()
    if (!state) return fresh(file)
    const hasher = createTextHash()
    const pieces = await skip(source.text(), state.offset, hasher)
    if (pieces && hasher.digest() === state.prefix) return { pieces, hasher, state, file }
  }
}

async function firstLine(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0)
  for await (const piece of pieces) {
    head = Buffer.concat([head, piece])
    const end = head.indexOf(0x0a)
    if (end >= 0 || head.byteLength > 4096) return head.subarray(0, end >= 0 ? Math.min(end, 4096) : 4096)
  }
  return head
}

/** Hashes the first bytes and returns the rest. Null if the text is shorter. */
async function skip(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
  hasher: TextHash,
): Promise<AsyncIterable<Uint8Array> | null> {
  const iterator = pieces[Symbol.asyncIterator]()
  let left = length
  let over: Uint8Array = new Uint8Array(0)
  while (left > 0) {
    const next = await iterator.next()
    if (next.done) return null
    const taken = next.value.subarray(0, left)
    hasher.update(taken)
    left -= taken.byteLength
    over = next.value.subarray(taken.byteLength)
  }
  return (async function* () {
    if (over.byteLength > 0) yield over
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  })()
}

/**
 * Returns the id of a chunk. If an import is repeated, the same chunk has the same id.
 */
function idOf({ siteId }: ImportJob, { start }: Chunk, textHash: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(`${siteId}\n${start}\n${textHash}`)
  return `import-${hash.digest('hex').slice(0, 40)}`
}

async function send(
  { link, siteId, isStopping }: ImportJob,
  chunk: Chunk,
  id: string,
): Promise<ImportAnswer> {
  const query = new URLSearchParams({ site: siteId, batch: id })
  const end = performance.now() + retryForMs
  for (let waitMs = 200; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      return await link.post<ImportAnswer>(`/import?${query}`, chunk.bytes)
    } catch (error) {
      const isPassing = !(error instanceof CommandError) || error.code === 'unavailable'
      if (!isPassing || isStopping() || performance.now() > end) throw error
      await Bun.sleep(waitMs)
    }
  }
}

function sum(a: ImportTally, b: ImportTally): ImportTally {
  return {
    lines: a.lines + b.lines,
    accepted: a.accepted + b.accepted,
    ignored: a.ignored + b.ignored,
    rejected: a.rejected + b.rejected,
    duplicate: a.duplicate + b.duplicate,
  }
}
