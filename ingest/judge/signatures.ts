import type { SignatureHeaders, Verdict } from 'renown/contracts'
import { type Signer, signers } from '../data/signers'
import { type Agent, classify } from './classify'
import { type Claim, readClaims, unverified } from './signature/claim'
import {
  createSignatureJudge,
  type LoggedRequest,
  type SignatureJudgeOptions,
  type SignatureResult,
  type SignedSite,
} from './signature/judge-signature'

/** The verdict on a signed request, after its IP address and its signature. */
export interface SignedVerdict {
  readonly verdict: Verdict
  /** What verified the request, if its signature did. */
  readonly verified_by?: 'signature' | 'both'
  /** The host of the signer whose signature decided the verdict. */
  readonly signer?: string
  /** Why the signature proves nothing. */
  readonly reason?: string
  /** The signature counts, but was not checked now: it came before, or too many came. */
  readonly note?: 'replayed' | 'sampled'
}

/** The signed crawlers: what their headers claim, and whether that is true. */
export interface Signatures {
  /** Returns the claims of the headers, or null if they name no signer. */
  claims(headers: SignatureHeaders): readonly Claim[] | null
  /** Returns the agent of a known signer, for requests whose user agent names none. */
  agentOf(claims: readonly Claim[]): Agent | null
  /** Returns the verdict. `byAddress` is that of the IP address. */
  verdict(
    claims: readonly Claim[],
    agent: Agent,
    request: LoggedRequest,
    site: SignedSite,
    byAddress: Verdict,
  ): SignedVerdict
}

/** Results of signatures, for the metrics. */
export type SignatureOutcome = 'verified' | 'replayed' | 'sampled' | 'false' | 'unverified'

export interface SignaturesOptions extends SignatureJudgeOptions {
  readonly signers?: readonly Signer[]
  readonly onJudged?: (outcome: SignatureOutcome) => void
}

/** Creates the check of signed crawlers. Its judgement depends on the time in the log and on the keys that are known. */
export function createSignatures(options: SignaturesOptions): Signatures {
  const { signers: known = signers, onJudged = () => {} } = options
  const judge = createSignatureJudge(options)
  const byHost = new Map(known.map((signer) => [signer.host, { ...signer, agent: classify(signer.agent) }]))

  function judged(claim: Claim, agent: Agent, request: LoggedRequest, site: SignedSite): SignatureResult {
    const signer = byHost.get(claim.signer)
    if (!signer) return { result: 'unverified', reason: unverified.unknownSigner }
    if (signer.operator !== agent.operator) return { result: 'unverified', reason: unverified.otherSigner }
    return judge.judge(claim, request, site)
  }
  return {
    claims: readClaims,
    agentOf: (claims) => claims.map(({ signer }) => byHost.get(signer)?.agent).find(Boolean) ?? null,
    verdict(claims, agent, request, site, byAddress) {
      const results = claims.map((claim) => ({
        signer: claim.signer,
        ...judged(claim, agent, request, site),
      }))
      const best = results.toSorted((a, b) => ranks[a.result] - ranks[b.result])[0]
      const found = best ? combined(best, byAddress) : { verdict: byAddress }
      if (best) onJudged(outcomeOf(best))
      return found
    },
  }
}

const ranks = { verified: 0, invalid: 1, unverified: 2 } as const

/**
 * A valid signature verifies a request from any address. A false one makes it spoofed, except from an address of
 * the operator, which nobody else can use.
 */
function combined(found: SignatureResult & { readonly signer: string }, byAddress: Verdict): SignedVerdict {
  const { signer } = found
  if (found.result === 'unverified') return { verdict: byAddress, reason: found.reason }
  if (found.result === 'invalid') {
    return byAddress === 'verified' ? { verdict: byAddress } : { verdict: 'spoofed', signer }
  }
  const verified_by = byAddress === 'verified' ? 'both' : 'signature'
  return { verdict: 'verified', verified_by, signer, ...(found.note ? { note: found.note } : {}) }
}

const outcomeOf = (found: SignatureResult): SignatureOutcome =>
  found.result === 'verified'
    ? (found.note ?? 'verified')
    : found.result === 'invalid'
      ? 'false'
      : 'unverified'
