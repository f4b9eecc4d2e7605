import { join } from 'node:path'
import type { Log } from 'renown/contracts'
import { type FileCalls, systemFiles } from './files'
import { createFrameBuilder } from './frame-builder'
import { framedAtOnce, frameInTurns } from './large-frame'
import type { BatchRecord, JournalHit } from './segment'
import {
  measure,
  type OpenSegment,
  openSegment,
  publish,
  recover,
  repairTail,
  type SegmentSizes,
  writeWhole,
} from './segment-folder'

export type { BatchRecord, JournalHit } from './segment'

export interface JournalOptions {
  /** Contains `segments/` (`*.open`, then `*.seg`) and `done/` for segments that are in ClickHouse. */
  readonly directory: string
  readonly now: () => Date
  readonly log: Log
  readonly files?: FileCalls
  /** If more bytes than this wait for the flusher, entries are refused. */
  readonly backlogBytesMax?: number
  /**
   * Minimum free bytes on the disk. With less, entries are refused, while the flusher still has enough space
   * to work.
   */
  readonly freeBytesMin?: number
  readonly segmentBytesMax?: number
  readonly segmentMsMax?: number
  /** How long to wait after an error before the disk is tried again. */
  readonly retryMs?: number
}

/** Data that is written together or not at all: a batch's hits and its own record. */
export interface JournalEntry {
  readonly hits: readonly JournalHit[]
  readonly batch?: BatchRecord | undefined
  /** Gives the event loop to other work. An entry with many hits needs it. Default: it is added at once. */
  readonly turn?: (() => Promise<void>) | undefined
}

export interface Journal {
  /** Resolves when the entry is on the disk. Rejects with `JournalRefusal` if the sender must repeat it. */
  append(entry: JournalEntry): Promise<void>
  /** Closes the open segment, so that the flusher can take all entries so far. */
  rotate(): Promise<void>
  /** Why entries are refused now, or null. */
  refusal(): string | null
  stop(): Promise<void>
}

/** Thrown when the disk or the backlog is full. The answer is 503, so that the sender repeats the batch. */
export class JournalRefusal extends Error {}

export const segmentsDirectory = (directory: string): string => join(directory, 'segments')
/** Returns the folder for segments that an operator has to check. */
export const poisonDirectory = (directory: string): string => join(directory, 'poison')
export const doneDirectory = (directory: string): string => join(directory, 'done')

const pendingHitsMax = 200_000
const stalledMs = 2_000
/** If a group has at least this many entries, the next group waits for a minimum interval. */
const busyGroup = 8
const gapMs = 2

/** Opens the journal of a folder. First closes segments that an earlier process left open. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const writer = new Writer(options)
  const { files, folder } = writer
  await files.makeDirectory(folder)
  await files.makeDirectory(doneDirectory(options.directory))
  for (const segment of await recover(files, folder)) {
    writer.log.warn('A segment ended with an incomplete frame, which was never acknowledged', { segment })
  }
  writer.backlog = await measure(files, folder, writer.sizes)
  await lookAtDisk(writer)
  const measuring = setInterval(() => void look(writer), writer.retryMs)
  measuring.unref()

  return {
    append: (entry) => append(writer, entry),
    rotate: () => rotate(writer),
    refusal: () => refusal(writer),
    async stop() {
      writer.stopped = true
      clearInterval(measuring)
      try {
        await rotate(writer)
      } finally {
        clearTimeout(writer.retryTimer)
      }
    },
  }
}

type Group = PromiseWithResolvers<void>
type Timer = ReturnType<typeof setTimeout>

class Writer {
  readonly now: () => Date
  readonly log: Log
  readonly files: FileCalls
  readonly folder: string
  readonly backlogBytesMax: number
  readonly freeBytesMin: number | undefined
  readonly segmentBytesMax: number
  readonly segmentMsMax: number
  readonly retryMs: number
  readonly builder = createFrameBuilder()
  /** Frames of large entries, which are written with the next group. */
  large: Uint8Array[] = []
  /** Hits of large entries that are not on the disk yet. */
  largeHits = 0
  /** The next group, which collects entries while the current one is written. */
  waiting: Group | undefined
  /** Entries in the next group. */
  grouped = 0
  /** Until when the next group collects entries, in milliseconds of `performance.now`. */
  gathersUntil = Number.NEGATIVE_INFINITY
  isRunning = false
  /** When the current write started. Infinite while nothing is written. */
  writingSince = Number.POSITIVE_INFINITY
  isStalled = false
  isDiskFull = false
  backlog = 0
  readonly sizes: SegmentSizes = new Map()
  segment: OpenSegment | undefined
  rotations: PromiseWithResolvers<void>[] = []
  isRotationDue = false
  rotateTimer: Timer | undefined
  retryTimer: Timer | undefined
  /** Segments that may end with refused entries. They are cut to their synced bytes before they are read. */
  unmended: { readonly name: string; readonly bytes: number }[] = []
  /** Why the journal cannot be written, or null. */
  broken: string | null = null
  stopped = false

  constructor(options: JournalOptions) {
    this.now = options.now
    this.log = options.log
    this.files = options.files ?? systemFiles
    this.folder = segmentsDirectory(options.directory)
    this.backlogBytesMax = options.backlogBytesMax ?? 4 * 2 ** 30
    this.freeBytesMin = options.freeBytesMin
    this.segmentBytesMax = options.segmentBytesMax ?? 4 * 2 ** 20
    this.segmentMsMax = options.segmentMsMax ?? 1_000
    this.retryMs = options.retryMs ?? 1_000
  }
}

function append(writer: Writer, entry: JournalEntry): Promise<void> {
  const reason = refusal(writer)
  if (reason) return Promise.reject(new JournalRefusal(reason))
  if (entry.turn && entry.hits.length > framedAtOnce) return appendLarge(writer, entry, entry.turn)
  for (const hit of entry.hits) writer.builder.addHit(hit)
  if (entry.batch) writer.builder.addBatch(entry.batch)
  return writer.builder.isEmpty() ? Promise.resolve() : inNextGroup(writer)
}

/** Adds an entry as one frame of its own. Nothing of it is written before all of it is in the frame. */
async function appendLarge(writer: Writer, entry: JournalEntry, turn: () => Promise<void>): Promise<void> {
  writer.largeHits += entry.hits.length
  try {
    const frame = await frameInTurns(entry, turn)
    if (writer.stopped) throw new JournalRefusal(String(refusal(writer)))
    writer.large.push(frame)
    await inNextGroup(writer)
  } finally {
    writer.largeHits -= entry.hits.length
  }
}

/** Resolves when what was added is on the disk. */
function inNextGroup(writer: Writer): Promise<void> {
  writer.waiting ??= Promise.withResolvers()
  writer.grouped++
  const { promise } = writer.waiting
  wake(writer)
  return promise
}

function refusal(writer: Writer): string | null {
  if (writer.stopped) return 'the ingest is stopping'
  if (writer.broken) return writer.broken
  if (writer.isDiskFull) return 'the disk is nearly full'
  if (writer.backlog > writer.backlogBytesMax) return 'too many hits wait for ClickHouse'
  if (writer.builder.hits() + writer.largeHits > pendingHitsMax) return 'too many hits wait for the disk'
  return writer.isStalled ? 'the disk is stalled' : null
}

/** Checks at intervals whether entries can be taken. If the folder cannot be listed, the last backlog counts. */
async function look(writer: Writer): Promise<void> {
  const { files, folder } = writer
  lookAtWrite(writer)
  if (writer.backlog > writer.backlogBytesMax)
    writer.backlog = await measure(files, folder, writer.sizes).catch(() => writer.backlog)
  return lookAtDisk(writer)
}

/** Checks the duration of the write at intervals, because checking for each hit would be expensive. */
function lookAtWrite(writer: Writer) {
  writer.isStalled = writer.now().getTime() - writer.writingSince > stalledMs
}

/** If the free space is unknown, hits are not refused, because a full disk makes the write itself fail. */
async function lookAtDisk(writer: Writer) {
  const { freeBytesMin, files, folder } = writer
  if (!freeBytesMin) return
  const free = await files.free(folder).catch(() => Number.POSITIVE_INFINITY)
  const isFull = free < freeBytesMin
  if (isFull && !writer.isDiskFull) writer.log.error('The disk is nearly full; batches are refused', { free })
  if (!isFull && writer.isDiskFull) writer.log.info('The disk has room again; batches are taken')
  writer.isDiskFull = isFull
}

function rotate(writer: Writer): Promise<void> {
  const rotation = Promise.withResolvers<void>()
  writer.rotations = [...writer.rotations, rotation]
  wake(writer)
  return rotation.promise
}

function wake(writer: Writer) {
  if (!writer.isRunning) void run(writer)
}

/** Writes one group at a time. Entries that arrive during a sync form the next group. */
async function run(writer: Writer) {
  writer.isRunning = true
  try {
    while (writer.waiting || writer.rotations.length > 0 || writer.isRotationDue) {
      const pause = gatheringMs(writer)
      if (pause > 0) await Bun.sleep(pause)
      if (writer.waiting) await writeGroup(writer, writer.waiting)
      const rotations = writer.rotations
      writer.rotations = []
      const isFull = writer.segment && writer.segment.bytes >= writer.segmentBytesMax
      if (rotations.length > 0 || writer.isRotationDue || isFull) await closeSegment(writer)
      for (const rotation of rotations) {
        if (writer.unmended.length === 0) rotation.resolve()
        else rotation.reject(new JournalRefusal(String(writer.broken)))
      }
    }
  } finally {
    writer.isRunning = false
  }
}

/**
 * Returns how many milliseconds to collect entries. Under load, a write and its sync cost more than the hits of
 * a small group.
 */
function gatheringMs(writer: Writer): number {
  return writer.rotations.length > 0 ? 0 : Math.max(0, Math.round(writer.gathersUntil - performance.now()))
}

async function writeGroup(writer: Writer, group: Group) {
  if (writer.grouped >= busyGroup) writer.gathersUntil = performance.now() + gapMs
  writer.grouped = 0
  const frames = writer.builder.isEmpty() ? writer.large : [writer.builder.take(), ...writer.large]
  writer.large = []
  writer.waiting = undefined
  if (writer.broken) return group.reject(new JournalRefusal(writer.broken))
  writer.writingSince = writer.now().getTime()
  try {
    writer.segment ??= await nextSegment(writer)
    let end = writer.segment.bytes
    for (const frame of frames) {
      await writeWhole(writer.segment.file, frame, end)
      end += frame.length
    }
    await writer.segment.file.datasync()
    writer.segment.bytes = end
    group.resolve()
  } catch (error) {
    group.reject(new JournalRefusal(await setAside(writer, error)))
  } finally {
    writer.writingSince = Number.POSITIVE_INFINITY
    writer.isStalled = false
  }
}

async function nextSegment(writer: Writer): Promise<OpenSegment> {
  const opened = await openSegment(writer.files, writer.folder, writer.now())
  writer.rotateTimer = setTimeout(() => {
    writer.isRotationDue = true
    wake(writer)
  }, writer.segmentMsMax)
  return opened
}

async function closeSegment(writer: Writer) {
  const { segment, files, folder } = writer
  clearTimeout(writer.rotateTimer)
  writer.isRotationDue = false
  if (!segment) return
  try {
    await segment.file.close()
    await publish(files, folder, segment.name, segment.bytes)
    writer.segment = undefined
    writer.backlog = await measure(files, folder, writer.sizes)
  } catch (error) {
    await setAside(writer, error)
  }
}

/** Sets a file aside after an error. It is never written again, and is cut to its synced bytes. Returns the reason. */
async function setAside(writer: Writer, error: unknown): Promise<string> {
  const { segment, log } = writer
  clearTimeout(writer.rotateTimer)
  writer.segment = undefined
  if (segment) {
    writer.unmended = [...writer.unmended, segment]
    await segment.file.close().catch(() => {})
  }
  const reason = unwritable(error)
  writer.broken = reason
  log.error('The journal cannot be written; batches are refused until it can', { code: codeOf(error) })
  await mendAll(writer).catch(() => {})
  writer.retryTimer = setTimeout(() => retry(writer), writer.retryMs)
  return reason
}

async function retry(writer: Writer) {
  try {
    await mendAll(writer)
    writer.broken = null
    writer.log.info('The journal tries to write again')
  } catch (error) {
    writer.broken = unwritable(error)
    if (!writer.stopped) writer.retryTimer = setTimeout(() => retry(writer), writer.retryMs)
  }
}

async function mendAll(writer: Writer) {
  for (const left of [...writer.unmended]) {
    await repairTail(writer.files, writer.folder, left)
    writer.unmended = writer.unmended.filter((other) => other !== left)
  }
}

const unwritable = (error: unknown) => `the journal cannot be written (${codeOf(error)})`
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'
