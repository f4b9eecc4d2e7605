import { messageOf, parseJson } from 'renown/contracts'
import type { Batch } from './position'

/** Where batches go. */
export interface Destination {
  /** The address of the ingest, such as `https://ingest.example.com`. */
  readonly url: string
  readonly token: string
  /** Whether bodies are compressed with zstd. */
  readonly compress: boolean
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly fetch?: typeof fetch
}

/** What the ingest did with the lines of a batch. */
export interface Outcome {
  readonly accepted: number
  readonly ignored: number
  readonly rejected: number
  readonly duplicate: number
}

const firstWaitMs = 1_000
const mostWaitMs = 60_000
const answerMs = 60_000
const answerBytesMax = 262_144
const tellEveryMs = 600_000

/** Sends a batch until the ingest has it. Returns null if the signal ended it before. */
export async function send(batch: Batch, target: Destination): Promise<Outcome | null> {
  const wait = target.wait ?? passed
  let told = Number.NEGATIVE_INFINITY
  for (let tries = 0; !target.signal.aborted; tries++) {
    const answer = await attempt(batch, target)
    if ('outcome' in answer) return answer.outcome
    const now = performance.now()
    if (now - told > tellEveryMs && !target.signal.aborted) {
      target.warn(`${answer.problem} Trying again.`)
      told = now
    }
    const ownMs = Math.min(mostWaitMs, firstWaitMs * 2 ** Math.min(tries, 6))
    await wait(Math.max(ownMs, answer.waitMs ?? 0), target.signal)
  }
  return null
}

type Attempt =
  | { readonly outcome: Outcome }
  | { readonly problem: string; readonly waitMs?: number | undefined }

async function attempt({ key, body }: Batch, target: Destination): Promise<Attempt> {
  const { url, token, compress, signal } = target
  try {
    const response = await (target.fetch ?? fetch)(new URL('v1/logs', url).href, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
        'content-type': 'text/plain',
        ...(compress ? { 'content-encoding': 'zstd' } : {}),
      },
      body: compress ? Bun.zstdCompressSync(body, { level: 1 }) : body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    })
    const text = await beginningOf(response)
    if (response.status === 200) return outcomeOf(text)
    return {
      problem: `${url} answered ${response.status}: ${detailOf(text)}`,
      waitMs: (Number(response.headers.get('retry-after')) || 0) * 1_000,
    }
  } catch (error) {
    return { problem: `${url} cannot be reached: ${messageOf(error)}` }
  }
}

/** Returns the beginning of an answer. One of the ingest is far shorter. */
async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    parts.push(part)
    length += part.length
    if (length > answerBytesMax) break
  }
  return Buffer.concat(parts).toString()
}

/** An answer that cannot be read is a fault: a proxy may have sent it. */
function outcomeOf(text: string): Attempt {
  try {
    const said = parseJson(text) as Partial<Outcome>
    const { accepted, ignored, rejected, duplicate } = said
    const counts = [accepted, ignored, rejected, duplicate]
    if (counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0))
      return { outcome: said as Outcome }
  } catch {
    // Not JSON.
  }
  return { problem: 'The answer is not one of Renown. Is this the address of the ingest?' }
}

function detailOf(text: string): string {
  try {
    const { detail } = parseJson(text) as { detail?: unknown }
    if (typeof detail === 'string') return detail.slice(0, 300)
  } catch {
    // Not JSON.
  }
  return text.replace(/\s+/g, ' ').slice(0, 100) || 'no reason.'
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(done, ms)
  signal.addEventListener('abort', done, { once: true })
  function done() {
    clearTimeout(timer)
    signal.removeEventListener('abort', done)
    resolve()
  }
  return promise
}
