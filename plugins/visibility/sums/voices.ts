import { dayIn, type Row } from 'renown'
import type { ShareRound } from 'renown/statistics'
import type { VisibilityRun } from '../records/VisibilityRun'
import { roundSeriesOf } from './cells'
import type { Tracker } from './scope'

/** How often one brand was named, and at which places. */
export interface Voice {
  answers: number
  placed: number
  places: number
}

/** The assistant and the day of answers. Answers of one day move together. */
export interface VoiceDay {
  readonly series: string
  readonly day: string
}

/** Returns the assistant and the day of an answer. */
export const answerDay = (
  timezone: string,
  {
    started_at,
    ...asked
  }: Pick<Row<typeof VisibilityRun>, 'tracker_id' | 'engine' | 'country' | 'started_at'>,
): VoiceDay => ({ series: roundSeriesOf(asked), day: dayIn(timezone, new Date(started_at)) })

/** Whom the answers of one assistant on one day name. */
interface VoiceRound extends VoiceDay {
  answers: number
  readonly named: Map<string, number>
}

/** The parts of an answer that say whom it names. */
type Naming = Pick<Row<typeof VisibilityRun>, 'brand_mentioned' | 'brand_position' | 'competitor_mentions'>

/** Counts whom answers name: the brand of a tracker and its competitors. An answer counts each name once. */
export function createVoices({ brand_name, competitors }: Pick<Tracker, 'brand_name' | 'competitors'>) {
  const names = [brand_name, ...competitors.map(({ name }) => name)]
  const voices = new Map(names.map((name): [string, Voice] => [name, { answers: 0, placed: 0, places: 0 }]))
  const rounds = new Map<string, VoiceRound>()
  const roundOf = ({ series, day }: VoiceDay): VoiceRound => {
    const key = `${series} ${day}`
    const round = rounds.get(key) ?? { series, day, answers: 0, named: new Map() }
    rounds.set(key, round)
    return round
  }
  const nameIn = ({ named }: VoiceRound, name: string, count: number) => {
    if (voices.has(name)) named.set(name, (named.get(name) ?? 0) + count)
  }
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
    rounds: rounds as ReadonlyMap<string, VoiceRound>,
    /** Adds to what the answers of one assistant on one day name, without the sums of all. */
    addRound(at: VoiceDay, more: number, named: readonly (readonly [name: string, count: number])[]) {
      const round = roundOf(at)
      round.answers += more
      for (const [name, count] of named) nameIn(round, name, count)
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
    add(answer: Naming, at: VoiceDay) {
      answers++
      const round = roundOf(at)
      round.answers++
      if (answer.brand_mentioned) {
        hear(voices.get(brand_name), answer.brand_position)
        nameIn(round, brand_name, 1)
      }
      const seen = new Set<string>()
      for (const { name, position } of answer.competitor_mentions) {
        if (name === brand_name || seen.has(name)) continue
        seen.add(name)
        hear(voices.get(name), position)
        nameIn(round, name, 1)
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

/** Whom answers name, by assistant and day. */
export type VoiceRounds = ReadonlyMap<string, Readonly<VoiceRound>>

/** Returns how often each assistant names one brand on each day, of the namings of all or of all answers. `without` has answers that do not count. */
export function voiceRounds(
  all: VoiceRounds,
  without: VoiceRounds,
  name: string,
  shareOf: 'namings' | 'answers',
): ShareRound[] {
  return [...all].map(([key, round]) => {
    const other = without.get(key)
    const answers = round.answers - (other?.answers ?? 0)
    const namings = sumOf(round.named) - (other ? sumOf(other.named) : 0)
    const k = (round.named.get(name) ?? 0) - (other?.named.get(name) ?? 0)
    return { series: round.series, day: round.day, answers, k, n: shareOf === 'namings' ? namings : answers }
  })
}

const sumOf = (named: ReadonlyMap<string, number>) => [...named.values()].reduce((sum, one) => sum + one, 0)
