import { createFrameBuilder } from './frame-builder'
import type { BatchRecord, JournalHit } from './segment'

/** An entry with more hits than this is put into a frame of its own, in turns with other work. */
export const framedAtOnce = 2_000

/** An entry that is written whole or not at all. */
interface LargeEntry {
  readonly hits: readonly JournalHit[]
  readonly batch?: BatchRecord | undefined
}

/** Returns the frame of an entry with many hits. Waits for a turn between its slices. */
export async function frameInTurns(
  { hits, batch }: LargeEntry,
  turn: () => Promise<void>,
): Promise<Uint8Array> {
  const builder = createFrameBuilder()
  for (let at = 0; at < hits.length; at += framedAtOnce) {
    await turn()
    const end = Math.min(hits.length, at + framedAtOnce)
    for (let index = at; index < end; index++) builder.addHit(hits[index] as JournalHit)
  }
  if (batch) builder.addBatch(batch)
  await turn()
  return builder.take()
}
