import type { Verdict } from 'renown/contracts'
import { dayMs } from 'renown/contracts'
import { type Address, isPublic, type Prefix, parseAddress } from '../parse/address'
import type { Agent } from './classify'
import { createIntervals } from './intervals'

/** The addresses of one operator at a moment. */
export interface OperatorRanges {
  readonly operator: string
  /** All networks of its lists, its documented ranges, and recently withdrawn networks. */
  readonly prefixes: readonly Prefix[]
  /**
   * All of its lists are current up to this time, in milliseconds since the epoch. A hit before it from
   * another address is spoofed.
   */
  readonly freshUntil: number
  /** URLs of its lists that do not exist. An agent with only such lists never counts as spoofed. */
  readonly missing?: ReadonlySet<string>
}

/** Verifies where hits came from. IP addresses are used only here. */
export interface Verifier {
  verdict(agent: Agent, ip: string | null, ts: number, now: number): Verdict
}

/** Older hits are never called spoofed, because the lists of their time are gone. */
export const spoofedAgeMaxMs = 14 * dayMs

/**
 * Creates the verifier.
 * - `verified`: inside the operator's ranges.
 * - `spoofed`: outside, if the agent has a published list, all lists of its operator are current, and the hit
 * is recent.
 * - `unchecked`: everything else, and every address that is unreadable or not public.
 */
export function createVerifier(
  operators: readonly OperatorRanges[],
  open: (address: Address) => boolean = isPublic,
): Verifier {
  if (operators.length > 32) throw new Error('more than 32 operators with ranges need wider masks')
  const byOperator = new Map(
    operators.map(({ operator, freshUntil, missing }, bit) => [
      operator,
      { mask: 1 << bit, freshUntil, missing },
    ]),
  )
  const intervals = createIntervals(
    operators.flatMap(({ prefixes }, bit) => prefixes.map((prefix) => ({ prefix, mask: 1 << bit }))),
  )
  return {
    verdict(agent, ip, ts, now) {
      const operator = byOperator.get(agent.operator)
      if (!operator || !ip) return 'unchecked'
      const address = parseAddress(ip)
      if (!address || !open(address)) return 'unchecked'
      if ((intervals.lookup(address) & operator.mask) !== 0) return 'verified'
      if (agent.client || agent.lists.length === 0) return 'unchecked'
      const { missing } = operator
      if (missing && agent.lists.some((url) => missing.has(url))) return 'unchecked'
      return now <= operator.freshUntil && now - ts <= spoofedAgeMaxMs ? 'spoofed' : 'unchecked'
    },
  }
}
