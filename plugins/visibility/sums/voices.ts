import type { Row } from 'renown'
import type { VisibilityRun } from '../records/VisibilityRun'
import type { Tracker } from './scope'

/** How often one brand was named, and at which places. */
export interface Voice {
  answers: number
  placed: number
  places: number
}

/** The parts of an answer that say whom it names. */
type Naming = Pick<Row<typeof VisibilityRun>, 'brand_mentioned' | 'brand_position' | 'competitor_mentions'>

/** Counts whom answers name: the brand of a tracker and its competitors. An answer counts each name once. */
export function createVoices({ brand_name, competitors }: Pick<Tracker, 'brand_name' | 'competitors'>) {
  const names = [brand_name, ...competitors.map(({ name }) => name)]
  const voices = new Map(names.map((name): [string, Voice] => [name, { answers: 0, placed: 0, places: 0 }]))
  let answers = 0
  return {
    voices: voices as ReadonlyMap<string, Readonly<Voice>>,
    get answers() {
      return answers
    },
    /** The namings of all of them. */
    get namings() {
      return [...voices.values()].reduce((sum, one) => sum + one.answers, 0)
    },
    /** Adds answers that are already summed, and how often they name each. */
    addSums(more: number, named: readonly ({ readonly name: string } & Readonly<Voice>)[]) {
      answers += more
      for (const { name, ...sums } of named) {
        const voice = voices.get(name)
        if (!voice) continue
        voice.answers += sums.answers
        voice.placed += sums.placed
        voice.places += sums.places
      }
    },
    add(answer: Naming) {
      answers++
      if (answer.brand_mentioned) hear(voices.get(brand_name), answer.brand_position)
      const seen = new Set<string>()
      for (const { name, position } of answer.competitor_mentions) {
        if (name === brand_name || seen.has(name)) continue
        seen.add(name)
        hear(voices.get(name), position)
      }
    },
  }
}

/** The average place of a voice among those named. Null without a place. */
export const averagePosition = ({ placed, places }: Readonly<Voice>): number | null =>
  placed === 0 ? null : Math.round((places / placed) * 1e4) / 1e4

function hear(voice: Voice | undefined, position: number | undefined): void {
  if (!voice) return
  voice.answers++
  if (position === undefined) return
  voice.placed++
  voice.places += position
}
