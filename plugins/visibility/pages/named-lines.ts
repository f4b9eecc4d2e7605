import { defineRate } from 'renown'
import { presence, shareOfVoice } from '../operations/getShareOfVoice'
import { lostBy } from '../sums/lost-answers'
import type { NamedAnswer } from '../sums/newest-answers'
import type { Tracker } from '../sums/scope'
import { kindOfSource, sourceKinds } from '../sums/source-kinds'
import { citedShare, createSources } from '../sums/sources'
import { answerDay, averagePosition, createVoices, voiceRounds } from '../sums/voices'
import type { SourceLine, VisibilityData, VoiceLine } from './visibility-data'

const citedKind = defineRate(
  'visibility.cited_kind@1',
  'Answers that cite at least one source of this kind, among all answers',
)

/** Returns whom the answers of one tracker name, the most named first. Prompts that name the brand do not count. */
export function voiceLines(
  tracker: Tracker,
  answers: readonly NamedAnswer[],
  { branded, timezone }: { readonly branded: ReadonlySet<string>; readonly timezone: string },
): VoiceLine[] {
  const heard = createVoices(tracker)
  const open = answers.filter(({ prompt_id }) => !branded.has(prompt_id))
  for (const answer of open) heard.add(answer, answerDay(timezone, answer))
  const none = createVoices(tracker).rounds
  const won = new Map(
    lostBy(open, () => 'all')
      .get('all')
      ?.to.map((one) => [one.name, one.answers]),
  )
  return [...heard.voices]
    .map(([name, voice]) => ({
      name,
      is_brand: name === tracker.brand_name,
      won: won.get(name) ?? 0,
      share: shareOfVoice.ofRounds(voiceRounds(heard.rounds, none, name, 'namings')),
      presence: presence.ofRounds(voiceRounds(heard.rounds, none, name, 'answers')),
      avg_position: averagePosition(voice),
    }))
    .sort((a, b) => b.share.k - a.share.k || (a.name < b.name ? -1 : 1))
}

/** Returns what the answers cite, by kind and by domain. */
export function sourceLines(
  trackers: readonly Tracker[],
  answers: readonly NamedAnswer[],
  limit: number,
): Pick<VisibilityData, 'kinds' | 'sources' | 'more_sources'> {
  const competitors = trackers.flatMap((one) => one.competitors)
  const gathered = createSources()
  const citing = new Map<string, number>()
  const kinds = new Map<string, SourceLine['kind']>()
  const kindOf = (domain: string, isOwn: boolean) => {
    const known = kinds.get(domain) ?? kindOfSource(domain, isOwn, competitors)
    kinds.set(domain, known)
    return known
  }
  for (const answer of answers) {
    gathered.add(answer)
    const cited = answer.citations.filter((one) => one.cited)
    for (const kind of new Set(cited.map(({ domain, is_own }) => kindOf(domain, is_own))))
      citing.set(kind, (citing.get(kind) ?? 0) + 1)
  }
  const all = gathered.ranked()
  return {
    kinds: sourceKinds
      .map((kind) => ({ kind, cited: citedKind.of(citing.get(kind) ?? 0, answers.length) }))
      .filter(({ kind, cited }) => cited.k > 0 || kind === 'own'),
    sources: all.slice(0, limit).map((source) => ({
      domain: source.domain,
      kind: kindOf(source.domain, source.isOwn),
      consulted: source.consulted,
      cited: citedShare.of(source.citedIn, answers.length),
      engines: [...source.engines].sort(),
      page: [...source.pages].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null,
    })),
    more_sources: Math.max(0, all.length - limit),
  }
}
