import { bytesPerUnitMax, numberBytesMax, putNumber, putText } from './put'
import { type BatchRecord, frameHeaderBytes, type JournalHit, writeFrameHeader } from './segment'

/** Collects what one group commit writes. Everything added before `take` is written together or not at all. */
export interface FrameBuilder {
  addHit(hit: JournalHit): void
  addBatch(batch: BatchRecord): void
  /** Returns the frame, valid until the next `take`, because two buffers serve all groups. */
  take(): Uint8Array
  hits(): number
  isEmpty(): boolean
}

/** Creates an empty builder. */
export function createFrameBuilder(): FrameBuilder {
  let bytes = Buffer.allocUnsafeSlow(startBytes)
  let spare = Buffer.allocUnsafeSlow(startBytes)
  let end = frameHeaderBytes
  let hits = 0
  let heads = createHeads()
  let lastTs = Number.NaN

  function addHit(hit: JournalHit) {
    const { text } = heads.find(hit) ?? addHead(hit)
    makeRoom(hit.path.length * bytesPerUnitMax + roomForNumbers)
    let at = putText(bytes, end, text)
    bytes[at++] = tab
    // Consecutive hits often have the same second. An empty time means that of the previous hit.
    if (hit.ts !== lastTs) at = putNumber(bytes, at, hit.ts)
    lastTs = hit.ts
    bytes[at++] = tab
    at = putText(bytes, at, hit.path)
    if (hit.id !== undefined) {
      bytes[at++] = tab
      at = putNumber(bytes, at, hit.id)
    }
    bytes[at++] = newline
    end = at
    hits++
  }

  function addHead(hit: JournalHit): Head {
    const { kind, site_id, date, agent, category, operator, verdict, status, signer, verified_by } = hit
    const head = ['d', kind, site_id, date, agent, category, operator, verdict]
    if (status !== undefined || signer !== undefined) head.push(String(status ?? ''))
    if (signer !== undefined) head.push(signer, verified_by ?? '')
    addLine(head)
    return heads.add(hit)
  }

  function addLine(fields: readonly string[]) {
    makeRoom(fields.reduce((sum, field) => sum + field.length * bytesPerUnitMax + 1, 0))
    for (const field of fields) {
      end = putText(bytes, end, field)
      bytes[end++] = tab
    }
    bytes[end - 1] = newline
  }

  function makeRoom(wanted: number) {
    if (end + wanted <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, end + wanted))
    larger.set(bytes)
    bytes = larger
  }

  function take(): Uint8Array {
    const full = bytes
    const frame = full.subarray(0, end)
    writeFrameHeader(frame, hits)
    bytes = spare
    spare = full.length > keptBytesMax ? Buffer.allocUnsafeSlow(startBytes) : full
    end = frameHeaderBytes
    hits = 0
    heads = createHeads()
    lastTs = Number.NaN
    return frame
  }

  return {
    addHit,
    addBatch: ({ id, accepted, ignored, rejected, duplicate, at }) =>
      addLine(['b', id, ...[accepted, ignored, rejected, duplicate, at].map(String)]),
    take,
    hits: () => hits,
    isEmpty: () => end === frameHeaderBytes,
  }
}

const startBytes = 64 * 1024
/** A larger buffer is not reused for the next group. */
const keptBytesMax = 2 ** 20
const tab = 9
const newline = 10
/** Space for head, time, id and separators. */
const roomForNumbers = 3 * numberBytesMax + 8

/** The common fields of hits, written once per frame. */
interface Head {
  readonly hit: JournalHit
  /** The text with which the following hits refer to it. */
  readonly text: string
}

/** Number of slots of a table that finds recently used heads without a search. */
const recentPlaces = 64

function createHeads() {
  let count = 0
  const recent: (Head | undefined)[] = new Array(recentPlaces)
  /** Heads by site and day, so that a batch of many days does not make a long list. */
  const known = new Map<string, Map<string, Head[]>>()

  return {
    find(hit: JournalHit): Head | undefined {
      const place = placeOf(hit)
      const head = recent[place]
      if (head && isAlike(head.hit, hit)) return head
      const found = known
        .get(hit.site_id)
        ?.get(hit.date)
        ?.find((other) => isAlike(other.hit, hit))
      recent[place] = found
      return found
    },
    add(hit: JournalHit): Head {
      const days = known.get(hit.site_id) ?? new Map<string, Head[]>()
      const head = { hit, text: String(count++) }
      const others = days.get(hit.date)
      if (others) others.push(head)
      else known.set(hit.site_id, days.set(hit.date, [head]))
      recent[placeOf(hit)] = head
      return head
    },
  }
}

/** Agents mostly differ in length and first letter, verdicts in length. Most hits have the same status. */
const placeOf = ({ agent, verdict, status }: JournalHit) =>
  (agent.length * 7 + agent.charCodeAt(0) + verdict.length * 16 + (status ?? 0)) & (recentPlaces - 1)

const isAlike = (a: JournalHit, b: JournalHit) =>
  a.agent === b.agent &&
  a.status === b.status &&
  a.verdict === b.verdict &&
  a.site_id === b.site_id &&
  a.date === b.date &&
  a.kind === b.kind &&
  a.category === b.category &&
  a.operator === b.operator &&
  a.signer === b.signer &&
  a.verified_by === b.verified_by
