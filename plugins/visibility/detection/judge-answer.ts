import { isMention, type Stance } from './cues'
import { createNameFinder, type NameFinder, type Occurrence } from './find-names'
import type { Entity } from './names'
import { type Position, positionsOf } from './position'
import { type Sentiment, sentimentOf } from './sentiment'
import { stanceOf } from './stance'

/** Version of these rules. It is stored with each result; answers are judged again when it changes. */
export const detectionVersion = 'visibility@2'

/** Names that a tracker looks for. */
export interface Tracked {
  readonly brand: { readonly names: readonly string[]; readonly isCaseSensitive?: boolean }
  readonly competitors: readonly { readonly name: string; readonly aliases?: readonly string[] }[]
}

/** The statement of an answer about one of the names. */
export interface Said {
  /** The name of the competitor; the brand's first name for the brand. */
  readonly name: string
  readonly stance: Stance
  readonly evidence: string
  readonly is_mixed: boolean
  readonly position: number | null
  readonly position_basis: Position['basis'] | null
  readonly sentiment: Sentiment | null
}

/** An answer, judged. */
export interface JudgedAnswer {
  readonly version: string
  /** Null when the answer does not name the brand, or only says that it does not know it. */
  readonly brand: Said | null
  /** The statement about the brand if it is not a mention: the engine does not know it, or means another one. */
  readonly brand_not_meant: Said | null
  readonly competitors: readonly Said[]
  /** Positions of names, for highlights. */
  readonly occurrences: readonly Occurrence[]
}

const brandId = 'brand'

/** Compiles the judge of a tracker's answers. */
export function createAnswerJudge(tracked: Tracked): (answer: string) => JudgedAnswer {
  const find = createNameFinder(entitiesOf(tracked))
  const names = new Map([
    [brandId, tracked.brand.names[0] ?? ''],
    ...tracked.competitors.map(({ name }, place): [string, string] => [competitorId(place), name]),
  ])
  return (answer) => judge(answer, names, find)
}

const competitorId = (place: number) => `competitor ${place}`

/** The brand and its competitors, as the finder looks for them. */
export const entitiesOf = ({ brand, competitors }: Tracked): Entity[] => [
  { id: brandId, ...brand },
  ...competitors.map(({ name, aliases = [] }, place) => ({
    id: competitorId(place),
    names: [name, ...aliases],
  })),
]

function judge(answer: string, names: ReadonlyMap<string, string>, find: NameFinder): JudgedAnswer {
  const occurrences = find(answer)
  const judgements = [...names.keys()].flatMap((id) => {
    const judged = stanceOf(answer, id, occurrences)
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
    brand: brand && meant.has(brandId) ? plain(brand) : null,
    brand_not_meant: brand && !meant.has(brandId) ? plain(brand) : null,
    competitors: said.filter(({ id }) => id !== brandId && meant.has(id)).map(plain),
    occurrences,
  }
}

const plain = ({ id: _, ...said }: Said & { readonly id: string }): Said => said

/** Returns names that belong to two entities. With one, it is unclear whom an answer means. */
export function collisions(tracked: Tracked): { readonly name: string; readonly competitor: string }[] {
  const [brand, ...competitors] = entitiesOf(tracked)
  const own = createNameFinder(brand ? [brand] : [])
  return competitors.flatMap(({ names }) =>
    names
      .filter((name) => own(name).some(({ start, end }) => start === 0 && end === name.length))
      .map((name) => ({ name, competitor: names[0] ?? name })),
  )
}
