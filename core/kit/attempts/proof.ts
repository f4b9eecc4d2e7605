import { minuteMs } from '../../contracts/time'
import { bareWords, isSameWords } from '../same-words'

/**
 * What a state of a service means. `visible`: everybody sees the result. `processing`: the service will show it soon. `held`: it waits
 * for somebody, or only some people see it. `rejected`: the service will never show it.
 */
export type StateMeaning = 'visible' | 'processing' | 'held' | 'rejected'

/** What a service shows of one result, in an answer or in a look. Nothing in it is believed before `judgeShown`. */
export interface ShownResult {
  /** The service's own id of the result, unchanged. */
  readonly external_id: string
  /** Its public address. */
  readonly url?: string | undefined
  /** Its words without HTML. Absent if the service does not say them here. */
  readonly text?: string | undefined
  /** When the service says that it was created. */
  readonly created_at?: string | undefined
  /** When the service says that people could see it, if it says so. */
  readonly published_at?: string | undefined
  /** Its state in the service's own words. Absent if the service does not say it here. */
  readonly state?: string | undefined
  /** Why the service holds or rejects it, in the service's own words. */
  readonly reason?: string | undefined
  /** Set if it cannot be the result, for example because it is by another author. Says why. */
  readonly isOther?: string | undefined
  /** Where it was read, such as `201` or `the list of the account`. */
  readonly evidence: string
}

/** The states of a service, and what each means. One table per service, for answers and looks. */
export interface StateRule {
  /** The meaning of each documented state. A result in any other state counts as held. */
  readonly states: Readonly<Record<string, StateMeaning>>
  /** Where the states are documented, or when they were seen. */
  readonly source: string
  /** Hosts by which the service shortens links in texts, such as `lnkd.in`. */
  readonly linkHosts?: readonly string[]
}

/** A service whose acceptance is the result, because nobody else can read it. */
export interface AcceptanceRule {
  /** Why its acceptance is the result. */
  readonly acceptance: string
}

/** What a service must show before something counts as published. */
export type ProofRule = StateRule | AcceptanceRule

/** What the result must show. */
export interface ExpectedResult {
  /** The words that were sent, as people see them. */
  readonly text: string
  /** When the attempt was recorded, before the first call. */
  readonly since: string
  /** The ids of other results. None of them is this one. */
  readonly others?: ReadonlySet<string> | undefined
}

/** What a shown result proves. */
export type ShownProof =
  | { readonly is: 'published' }
  | { readonly is: 'held' | 'rejected'; readonly state: string }
  /** It may be the result, but a part is missing that would prove it. */
  | { readonly is: 'incomplete'; readonly why: string }
  /** It is something else. */
  | { readonly is: 'other'; readonly why: string }

/** Clocks of services differ by so much from that of Renown. */
const clockMs = 5 * minuteMs

/** Returns the instant from which results can be those of an attempt. */
export const shownSince = (started_at: string): number => Date.parse(started_at) - clockMs

/**
 * Returns what a shown result proves about an attempt. It is published only if it shows its id, the words that were sent, a
 * time that is not before the attempt, and a visible state. The only function that decides this, for answers
 * and looks of all services.
 */
export function judgeShown(rule: ProofRule, expected: ExpectedResult, shown: ShownResult): ShownProof {
  const { external_id, text, created_at, state, isOther } = shown
  if (isOther !== undefined) return { is: 'other', why: isOther }
  if (external_id === '') return { is: 'incomplete', why: 'The answer has no id.' }
  if (expected.others?.has(external_id)) return { is: 'other', why: `${external_id} is another post.` }
  if ('acceptance' in rule) return { is: 'published' }
  if (text !== undefined && !isShownText(expected.text, text, rule.linkHosts)) {
    return { is: 'other', why: textDifference(external_id, expected.text, text) }
  }
  const at = created_at === undefined ? undefined : Date.parse(created_at)
  if (at !== undefined && at < shownSince(expected.since)) {
    return { is: 'other', why: `${external_id} is older than the attempt: ${created_at}.` }
  }
  if (text === undefined) return { is: 'incomplete', why: 'The answer does not show the text.' }
  if (at === undefined || Number.isNaN(at)) {
    return { is: 'incomplete', why: 'The answer does not say when it was created.' }
  }
  if (state === undefined || state === '') {
    return { is: 'incomplete', why: 'The answer does not say whether people see it.' }
  }
  const meaning = meaningOf(rule, state)
  if (meaning === 'visible') return { is: 'published' }
  return { is: meaning === 'rejected' ? 'rejected' : 'held', state }
}

/** Returns what a state of a service means. A state that is not in its table counts as held. */
export const meaningOf = ({ states }: StateRule, state: string): StateMeaning =>
  (Object.hasOwn(states, state) ? states[state] : undefined) ?? 'held'

function textDifference(id: string, sent: string, shown: string): string {
  const whole = bareWords(sent)
  const part = bareWords(shown).replace(/…$|\.\.\.$/, '')
  const isCut = part !== '' && part.length < whole.length && whole.startsWith(part)
  return isCut ? `${id} shows only the beginning of the text.` : `${id} shows other words.`
}

/** Whether a service shows the words that were sent. Links may be shortened by its own hosts. */
export function isShownText(sent: string, shown: string, linkHosts: readonly string[] = []): boolean {
  if (isSameWords(sent, shown)) return true
  if (linkHosts.length === 0) return false
  const wanted = bareWords(sent).split(' ')
  const given = bareWords(shown).split(' ')
  const isSame = (word: string, n: number) => {
    const other = given[n] ?? ''
    return word === other || (hostOf(word) !== null && linkHosts.includes(hostOf(other) ?? ''))
  }
  return wanted.length === given.length && wanted.every(isSame)
}

const hostOf = (word: string): string | null =>
  /^https?:\/\//.test(word) ? (URL.parse(word)?.host ?? null) : null
