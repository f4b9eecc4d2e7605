import { type AnswerLanguage, languageOfAnswer } from './answer-language'
import { readAnswer, readMax, readQuestion } from './features'
import { createNameFinder, type NameFinder, type Occurrence } from './find-names'
import type { Entity } from './names'
import { type Position, positionsOf } from './position'
import { type Sentiment, sentimentOf } from './sentiment'
import { wordsOf } from './signals'
import { createStances } from './stance'
import { isMention, type Stance } from './stances'

/** Version of these rules, stored with each result. When it changes, answers are judged again. */
export const detectionVersion = 'visibility@3'

/** The names that a tracker looks for. */
export interface Tracked {
  readonly brand: { readonly names: readonly string[]; readonly isCaseSensitive?: boolean }
  readonly competitors: readonly { readonly name: string; readonly aliases?: readonly string[] }[]
}

/** What an answer says about one of the names. */
export interface Said {
  /** The competitor's name, or the brand's first name. */
  readonly name: string
  readonly stance: Stance
  readonly evidence: string
  readonly is_mixed: boolean
  readonly position: number | null
  readonly position_basis: Position['basis'] | null
  readonly sentiment: Sentiment | null
}

/** The result of judging an answer. */
export interface JudgedAnswer {
  readonly version: string
  readonly language: AnswerLanguage
  /** Whether the language of the answer is one whose verdicts are measured. If not, its silence means nothing either. */
  readonly is_judged: boolean
  /** Null if the answer does not name the brand, or only says that it does not know it. */
  readonly brand: Said | null
  /**
   * What the answer says about the brand if it is not a mention: the engine does not know it, or means
   * another business.
   */
  readonly brand_not_meant: Said | null
  readonly competitors: readonly Said[]
  /** Positions of the names, for highlighting. */
  readonly occurrences: readonly Occurrence[]
}

/** The id of the brand among the entities of a tracker. */
export const brandId = 'brand'

/** Judges an answer. The question, where it is known, says what a bare list means, and what is only an echo. */
export type AnswerJudge = (answer: string, question?: string) => JudgedAnswer

/** Returns a function that judges a tracker's answers. */
export function createAnswerJudge(tracked: Tracked): AnswerJudge {
  const find = createNameFinder(entitiesOf(tracked))
  const names = new Map([
    [brandId, tracked.brand.names[0] ?? ''],
    ...tracked.competitors.map(({ name }, place): [string, string] => [competitorId(place), name]),
  ])
  return (answer, question) => judge(answer, question, names, find)
}

const competitorId = (place: number) => `competitor ${place}`

/** Returns the brand and its competitors in the form that the finder needs. */
export const entitiesOf = ({ brand, competitors }: Tracked): Entity[] => [
  { id: brandId, ...brand },
  ...competitors.map(({ name, aliases = [] }, place) => ({
    id: competitorId(place),
    names: [name, ...aliases],
  })),
]

function judge(
  answer: string,
  question: string | undefined,
  names: ReadonlyMap<string, string>,
  find: NameFinder,
): JudgedAnswer {
  const occurrences = find(answer)
  const words = wordsOf(answer.slice(0, readMax))
  const language = languageOfAnswer(words)
  const isJudged = language !== 'other'
  const asked = question === undefined ? null : readQuestion(question, find(question.toLowerCase()))
  const read = readAnswer(
    answer,
    words,
    language === 'other' || language === 'unknown' ? null : language,
    asked,
  )
  const stanceOf = createStances(read, isJudged, occurrences)
  const judgements = [...names.keys()].flatMap((id) => {
    const judged = stanceOf(id)
    return judged ? [{ id, ...judged }] : []
  })
  const meant = new Set(judgements.filter(({ stance }) => isMention(stance)).map(({ id }) => id))
  const places = positionsOf(
    answer,
    occurrences.filter(({ entity }) => meant.has(entity)),
  )
  const said = judgements.map(({ id, ...judged }) => {
    const place = places.find(({ entity }) => entity === id)
    return {
      id,
      name: names.get(id) ?? '',
      ...judged,
      position: place?.position ?? null,
      position_basis: place?.basis ?? null,
      sentiment: meant.has(id) ? sentimentOf(answer, id, occurrences) : null,
    }
  })
  const brand = said.find(({ id }) => id === brandId)
  return {
    version: detectionVersion,
    language,
    is_judged: isJudged,
    brand: brand && meant.has(brandId) ? plain(brand) : null,
    brand_not_meant: brand && !meant.has(brandId) ? plain(brand) : null,
    competitors: said.filter(({ id }) => id !== brandId && meant.has(id)).map(plain),
    occurrences,
  }
}

const plain = ({ id: _, ...said }: Said & { readonly id: string }): Said => said

/** Returns names that belong to two entities. An answer with such a name could mean either. */
export function collisions(tracked: Tracked): { readonly name: string; readonly competitor: string }[] {
  const [brand, ...competitors] = entitiesOf(tracked)
  const own = createNameFinder(brand ? [brand] : [])
  return competitors.flatMap(({ names }) =>
    names
      .filter((name) => own(name).some(({ start, end }) => start === 0 && end === name.length))
      .map((name) => ({ name, competitor: names[0] ?? name })),
  )
}
