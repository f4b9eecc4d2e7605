import { describe, expect, test } from 'bun:test'
import { randomSource } from '../../support/random-documents'
import { shrink } from '../../support/shrink'
import { liveYear, type Tally } from './support/live-year'
import { Finding } from './support/year-judge'
import { drawYear, type Platform, type Step, simplerStep } from './support/year-steps'

const isLong = process.env.RENOWN_LONG === '1'
/** A mutant is only asked whether it lives. */
const isMutant = process.env.RENOWN_MUTANT !== undefined
const years = isLong ? 12 : 1
/** Two readings a day. The quick run plays a tenth of the year. */
const parts = isLong || isMutant ? 1 : 10
const steps = 730 / parts

async function play(given: readonly Step[], platform: Platform, seed: number) {
  const year = await liveYear(given, platform, randomSource(seed).next)
  try {
    await year.end()
    return { ...year.tally, ...year.life.counts }
  } finally {
    await year.stop()
  }
}

/** Plays a year, and where it fails, looks for the few steps that do. */
async function prove(seed: number, platform: Platform) {
  const whole = drawYear(randomSource(seed), platform, steps)
  try {
    return await play(whole, platform, seed)
  } catch (error) {
    if (!(error instanceof Finding) || isMutant) throw error
    const { kind, message, step = whole.length - 1 } = error
    const failsAlike = (given: readonly Step[]) =>
      play(given, platform, seed).then(
        () => false,
        (thrown) => thrown instanceof Finding && thrown.kind === kind,
      )
    const few = await shrink(whole.slice(0, step + 1), failsAlike, { simpler: simplerStep })
    const lines = few.map((one) => JSON.stringify(one)).join('\n')
    throw new Error(
      `${platform}, seed ${seed}: ${message}\n${few.length} steps of ${whole.length} do:\n${lines}`,
    )
  }
}

describe('A year of reviews', () => {
  for (const platform of ['google', 'facebook'] as const) {
    for (let seed = 1; seed <= years; seed++) {
      test(`of ${platform} is what really happened wherever that could be seen (seed ${seed})`, async () => {
        const tally = await prove(seed, platform)
        expect(short(tally)).toEqual([])
      }, 600_000)
    }
  }
})

/** What a whole year must hold at least to be one. */
const least: Readonly<Partial<Record<keyof (Tally & Record<string, number>), number>>> = {
  write: 1_500,
  edit: 700,
  remove: 1_000,
  restore: 150,
  answer: 400,
  readings: steps,
  whole: 200,
  faults: 250,
  kills: 40,
  jumps: 15,
  hiccups: 2,
  replies: 200,
  flagged: 800,
}
/** Part of a year holds less of what is rare. */
const leastOf = (count: number) => (parts === 1 ? count : Math.floor(count / parts / 2))
const short = (tally: Readonly<Record<string, number>>) =>
  Object.entries(least).flatMap(([name, count]) =>
    (tally[name] ?? 0) >= leastOf(count ?? 0) ? [] : [`${name}: ${tally[name]}`],
  )
