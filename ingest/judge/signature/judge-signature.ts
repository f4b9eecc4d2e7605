import { createHash } from 'node:crypto'
import { type SignedRequest, signatureBases } from './base'
import { type Claim, type Proof, type Unverified, unverified } from './claim'
import type { Keyring, VerifyingKey } from './keyring'
import { isSignedBy } from './keys'

/** What a signature is worth. `invalid`: made with the signer's name, but not with its key. */
export type SignatureResult =
  | { readonly result: 'verified'; readonly note: 'replayed' | 'sampled' | null }
  | { readonly result: 'invalid' }
  | { readonly result: 'unverified'; readonly reason: Unverified }

/** A logged request with a signature. */
export interface LoggedRequest extends SignedRequest {
  /** The time in the log, in milliseconds since the epoch. */
  readonly ts: number
}

/** The site that the request was for. */
export interface SignedSite {
  readonly site_id: string
  readonly domain: string
}

/** Judges signatures of known signers, with bounded memory and processor time. */
export interface SignatureJudge {
  judge(claim: Claim, request: LoggedRequest, site: SignedSite): SignatureResult
}

export interface SignatureJudgeOptions {
  readonly keyring: Pick<Keyring, 'find'>
  readonly now: () => Date
  /** Maximum checks with a key per second. One takes about 0.1 ms. */
  readonly checksPerSecond?: number
  /** Maximum signatures that are remembered, in each of two generations. */
  readonly rememberedMax?: number
}

/** Clocks of signers and of servers differ, and a log has the time of the answer. */
const skewMs = 60_000
/** After one check of a key for a site, a flood within this time needs no more. */
export const sampleMs = 5 * 60_000
const samplesMax = 4_096

/** Creates the judge. Times are those of the log, so that late logs give the same verdicts. */
export function createSignatureJudge(options: SignatureJudgeOptions): SignatureJudge {
  const { keyring, now, checksPerSecond = 1_000, rememberedMax = 16_384 } = options
  const seen = createMemory<boolean>(rememberedMax)
  const samples = createMemory<boolean>(samplesMax)
  const budget = createBudget(checksPerSecond, now)

  function check(proof: Proof, key: VerifyingKey, request: LoggedRequest, site: SignedSite): SignatureResult {
    const bases = signatureBases(proof, request, site.domain)
    if (!bases) return no(unverified.notLogged)
    const mark = markOf(proof, bases.texts)
    const before = seen.get(mark)
    if (before !== undefined)
      return before ? { result: 'verified', note: 'replayed' } : refused(bases.isExact)
    const sample = `${proof.keyid} ${site.site_id} ${Math.floor(request.ts / sampleMs)}`
    if (!budget.take(bases.texts.length)) {
      return samples.get(sample) === true ? { result: 'verified', note: 'sampled' } : no(unverified.tooMany)
    }
    const isGood = bases.texts.some((text) => isSignedBy(key.object, text, proof.signature))
    seen.set(mark, isGood)
    // After one that does not fit, every signature of this key is checked, or stays unverified.
    samples.set(sample, isGood && samples.get(sample) !== false)
    return isGood ? { result: 'verified', note: null } : refused(bases.isExact)
  }

  return {
    judge({ signer, problem, proof }, request, site) {
      if (!proof) return no(problem ?? unverified.malformed)
      const late = lateness(proof, request.ts)
      if (late) return no(late)
      const key = keyring.find(signer, proof.keyid)
      if (!key) return no(unverified.unknownKey)
      if (proof.alg !== undefined && proof.alg !== key.algorithm) return no(unverified.algorithm)
      if (request.ts < key.from - skewMs || request.ts > key.until + skewMs) return no(unverified.keyTime)
      return check(proof, key, request, site)
    },
  }
}

const no = (reason: Unverified): SignatureResult => ({ result: 'unverified', reason })
const refused = (isExact: boolean): SignatureResult =>
  isExact ? { result: 'invalid' } : no(unverified.unsure)

function lateness({ created, expires }: Proof, ts: number): Unverified | null {
  if (created * 1_000 > ts + skewMs) return unverified.early
  return expires * 1_000 < ts - skewMs ? unverified.late : null
}

/** Returns the hash by which a repeated signature is recognized. */
const markOf = ({ signature }: Proof, texts: readonly string[]) =>
  createHash('sha256').update(signature).update(texts.join('\n\n')).digest('base64')

/** Remembers at least the last `max` entries and at most twice as many. */
function createMemory<T>(max: number) {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return {
    get: (key: string): T | undefined => young.get(key) ?? old.get(key),
    set(key: string, value: T) {
      if (young.size >= max) {
        old = young
        young = new Map()
      }
      young.set(key, value)
    },
  }
}

/** Allows this many checks per second, after at most one second's worth at once. */
function createBudget(perSecond: number, now: () => Date) {
  let left = perSecond
  let at = now().getTime()
  return {
    take(count: number): boolean {
      const time = now().getTime()
      left = Math.min(perSecond, left + (Math.max(0, time - at) / 1_000) * perSecond)
      at = time
      if (left < count) return false
      left -= count
      return true
    },
  }
}
