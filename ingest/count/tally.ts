import { type BatchReason, countUp, type Hit, type ReasonCount } from 'renown/contracts'
import type { JournalHit } from '../journal/segment'
import type { Agent } from '../judge/classify'
import type { NewAgentName } from '../judge/new-agent-name'
import type { SignedVerdict } from '../judge/signatures'
import { isPublic, parseAddress } from '../parse/address'

const reasonsMax = 20

/** Why a line was not counted, or was counted without some data. The texts never quote the line. */
export const reasons = {
  noAgent: 'no known AI agent',
  otherMethod: 'the method is not GET or HEAD',
  searchEngine: 'a search engine, which this site does not count',
  inactive: 'the site is switched off',
  otherHost: "the host is not of the site's domain",
  ahead: 'The time is more than 10 minutes ahead',
  past: 'The time is more than 7 days ago',
  noTime: 'The line has no time: add one as ts (RFC 3339 or seconds since 1970)',
  atArrival: 'the line has no time, so its arrival counts as its time',
  noAddress: 'the line has no client address',
  badAddress: 'the client address cannot be read',
  privateAddress: "the client address is of a private network, such as a proxy's",
  ofMany: 'the line has several addresses, and any of them may be invented',
  otherHosts: 'the URL and the host of the line name different hosts',
  zoneless: 'the time has no zone, so it counts as UTC',
  listInDoubt: 'most hits of this operator come from outside its address list now, so the list is in doubt',
  replayed: 'the same signature was counted before',
  idRepeated: 'another line had this id at another time or path, so it is no id of a request',
  lineRepeated: 'an equal line with this id was counted before, and neither has a time of its own',
  sampled: 'many signatures arrived, so this one counts by an earlier one of the same key',
} as const

/** The results of the lines of a batch so far. */
export interface Tally {
  /** When the batch arrived, in milliseconds since the epoch. */
  readonly at: number
  readonly hits: JournalHit[]
  /** What tells each hit from others, as a hash. Not all hits have one. */
  readonly keys: number[]
  /** Created for the first reason. */
  reasons: BatchReason[] | undefined
  lines: number
  ignored: number
  rejected: number
  isDated: boolean
  /** Lines without an agent. Most lines have none, so they are counted without a map. */
  ofNoAgent: number
  /** Counted lines without a time. */
  dated: number
  /** Counted lines whose time has no zone. */
  zoneless: number
  /** Counted lines whose id another line had. */
  repeated: number
  /** Indexes of hits that only their id and their line tell from others. Created for the first of them. */
  untimed: Set<number> | undefined
  /** Lines of these that were counted before. */
  duplicate: number
  /** Counted lines without a readable address. Created for the first of them. */
  uncheckedBy: Map<string, number> | undefined
  /** Lines whose signature was not checked again. Created for the first of them. */
  signedBy: Map<string, number> | undefined
  /** Lines that were ignored for a specific reason. Created for the first of them. */
  ignoredBy: Map<string, number> | undefined
  rejectedBy: Map<string, number> | undefined
  /**
   * Agents by user agent, from the second line on. The keys are parts of the batch, which is in memory
   * anyway.
   */
  agents: Map<string, Agent | Unnamed | null> | undefined
  /** What looks like an agent that is not known. Created for the first of them. */
  unnamed: Unnamed[] | undefined
}

/** One user agent of an unknown agent, with its lines in the batch. */
export interface Unnamed extends NewAgentName {
  hits: number
  /** Time of the first and the last line. */
  from: number
  to: number
}

// All fields are written out, because this object is created for every request.
/** Creates a tally without lines, at the time when the batch arrived. */
export const emptyTally = (at: number): Tally => ({
  at,
  hits: [],
  keys: [],
  reasons: undefined,
  lines: 0,
  ignored: 0,
  rejected: 0,
  isDated: true,
  ofNoAgent: 0,
  dated: 0,
  zoneless: 0,
  repeated: 0,
  untimed: undefined,
  duplicate: 0,
  uncheckedBy: undefined,
  signedBy: undefined,
  ignoredBy: undefined,
  rejectedBy: undefined,
  agents: undefined,
  unnamed: undefined,
})

/** Counts a valid line that is not counted as a hit. */
export function ignore(tally: Tally, reason: string) {
  tally.ignored++
  tally.ignoredBy ??= new Map()
  countUp(tally.ignoredBy, reason)
}

/** Counts an unreadable line, and lists it. */
export function reject(tally: Tally, line: number, reason: string) {
  tally.rejected++
  tally.rejectedBy ??= new Map()
  countUp(tally.rejectedBy, reason)
  note(tally, line, reason)
}

/** Lists a line with a reason, up to 20 of a batch. */
export function note(tally: Tally, line: number, reason: string) {
  tally.reasons ??= []
  if (tally.reasons.length < reasonsMax) tally.reasons.push({ line, reason })
}

/** Notes a missing or unreadable IP address. If all lines of a log have none, its set-up is wrong. */
export function sayUnread(tally: Tally, line: number, hit: Pick<Hit, 'ip' | 'ofMany'>) {
  const reason = unreadReason(hit)
  if (reason === null) return
  sayUnchecked(tally, reason)
  if (reason === reasons.badAddress) note(tally, line, `Counted as unchecked: ${reason}`)
}

/** Returns why the address of a hit says nothing about its client, or null if it does. */
export function unreadReason({ ip, ofMany }: Pick<Hit, 'ip' | 'ofMany'>): string | null {
  if (ip === null) return ofMany ? reasons.ofMany : reasons.noAddress
  const address = parseAddress(ip)
  if (!address) return reasons.badAddress
  return isPublic(address) ? null : reasons.privateAddress
}

/** Counts a line that cannot be checked. */
export function sayUnchecked(tally: Tally, reason: string) {
  tally.uncheckedBy ??= new Map()
  countUp(tally.uncheckedBy, reason)
}

/** Counts a line that is unchecked because the address list of its operator is in doubt. */
export function sayInDoubt(tally: Tally) {
  sayUnchecked(tally, reasons.listInDoubt)
}

/** Counts what the signature of a line did not prove. */
export function saySigned(tally: Tally, { verdict, reason, note: kind }: SignedVerdict) {
  if (kind) {
    tally.signedBy ??= new Map()
    countUp(tally.signedBy, reasons[kind])
  }
  if (!reason || verdict !== 'unchecked') return
  tally.uncheckedBy ??= new Map()
  countUp(tally.uncheckedBy, reason)
}

/** Returns the lines that did not count normally, by reason. */
export function reasonsOf(tally: Tally): { readonly by_reason?: readonly ReasonCount[] } {
  if (isPlain(tally)) return nothing
  const { ofNoAgent, dated, zoneless, repeated, duplicate, ...by } = tally
  const one = (outcome: ReasonCount['outcome'], reason: string, lines: number) =>
    lines > 0 ? [{ outcome, reason, lines }] : []
  const of = (outcome: ReasonCount['outcome'], lines: ReadonlyMap<string, number> | undefined) =>
    lines ? [...lines].map(([reason, count]) => ({ outcome, reason, lines: count })) : []
  const by_reason = [
    ...one('ignored', reasons.noAgent, ofNoAgent),
    ...of('ignored', by.ignoredBy),
    ...of('rejected', by.rejectedBy),
    ...of('unchecked', by.uncheckedBy),
    ...of('signed', by.signedBy),
    ...one('dated', reasons.atArrival, dated),
    ...one('dated', reasons.zoneless, zoneless),
    ...one('repeated', reasons.idRepeated, repeated),
    ...one('duplicate', reasons.lineRepeated, duplicate),
  ]
  return { by_reason }
}

const nothing = {}

const isPlain = (tally: Tally) =>
  tally.ignored +
    tally.rejected +
    tally.ofNoAgent +
    tally.dated +
    tally.zoneless +
    tally.repeated +
    tally.duplicate ===
    0 &&
  !tally.uncheckedBy &&
  !tally.signedBy
