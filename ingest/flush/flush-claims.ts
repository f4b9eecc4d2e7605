import { type ClaimBatches, claimsMax } from 'renown/contracts'
import type { JournalHit, Segment } from '../journal/segment'
import type { FromWorker, ToWorker } from './flusher-messages'

type Answer = Extract<ToWorker, { readonly do: 'claimed' | 'unclaimed' }>

/** Lets the flusher's thread request claims from the thread that accepts hits. */
export interface ClaimQueue {
  readonly claim: ClaimBatches
  hear(answer: Answer): void
  /** Fails all waiting requests. */
  giveUp(): void
}

/** Thrown if nobody can say which batches other processes count. */
export class ClaimsUnavailable extends Error {}

export function createClaimQueue(say: (message: FromWorker) => void): ClaimQueue {
  const asked = new Map<number, PromiseWithResolvers<readonly string[]>>()
  let asks = 0
  return {
    claim(segment, ids) {
      const ask = ++asks
      const answer = Promise.withResolvers<readonly string[]>()
      asked.set(ask, answer)
      say({ say: 'claim', ask, segment, ids })
      return answer.promise
    },
    hear(answer) {
      const waiting = asked.get(answer.ask)
      asked.delete(answer.ask)
      if (answer.do === 'claimed') waiting?.resolve(answer.taken)
      else waiting?.reject(new ClaimsUnavailable(answer.reason))
    },
    giveUp() {
      for (const { reject } of asked.values()) reject(new ClaimsUnavailable('stopping'))
      asked.clear()
    },
  }
}

/** Returns the hits of a segment to count, and how many another process counts. */
export async function ownOf(
  name: string,
  segment: Segment,
  claim: ClaimBatches,
): Promise<{ readonly segment: Segment; readonly elsewhere: number }> {
  const framed = segment.frames.map((frame) => ({ frame, claims: claimsOf(frame) }))
  const ids = [...new Set(framed.flatMap(({ claims }) => claims.map(({ id }) => id)))]
  const taken = new Set<string>()
  for (let from = 0; from < ids.length; from += claimsMax) {
    for (const id of await claim(name, ids.slice(from, from + claimsMax))) taken.add(id)
  }
  if (taken.size === 0) return { segment, elsewhere: 0 }
  let elsewhere = 0
  const frames = framed.map(({ frame, claims }) => {
    const others = new Set<JournalHit>()
    for (const { id, from, to } of claims) {
      if (taken.has(id)) for (const hit of frame.hits.slice(from, to)) others.add(hit)
    }
    elsewhere += others.size
    return { ...frame, hits: frame.hits.filter((hit) => !others.has(hit)) }
  })
  return { segment: { ...segment, frames }, elsewhere }
}

/** The unit of a claim: a batch, or a single hit with an id of its own. */
interface Claim {
  readonly id: string
  readonly from: number
  readonly to: number
}

function claimsOf({ hits, batchIds, ends }: Segment['frames'][number]): Claim[] {
  const claims: Claim[] = []
  let at = 0
  const alone = (before: number) => {
    for (; at < before; at++) {
      const id = hits[at]?.id
      if (id !== undefined) claims.push({ id: `hit-${id.toString(36)}`, from: at, to: at + 1 })
    }
  }
  for (const [index, { id, accepted }] of batchIds.entries()) {
    const to = ends[index] ?? hits.length
    alone(Math.max(at, to - accepted))
    claims.push({ id, from: at, to })
    at = to
  }
  alone(hits.length)
  return claims
}
