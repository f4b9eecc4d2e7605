import type { Random } from '../../../support/random-documents'
import type { FacebookFault } from '../../../support/stand-ins/facebook'
import type { GoogleFault } from '../../../support/stand-ins/google'

export type Platform = 'google' | 'facebook'

/** Something that happens at the platform. `at` is the review's place among those that stand, from 0 to below 1. */
export type Change =
  | { readonly do: 'write'; readonly stars: number; readonly isSilent: boolean; readonly agoMs: number }
  | { readonly do: 'edit'; readonly at: number; readonly stars: number }
  /** Moderated away it may come back, deleted it does not. */
  | { readonly do: 'remove'; readonly at: number; readonly isModerated: boolean }
  | { readonly do: 'restore' }
  /** A reply typed at the platform leaves the review's own time of change as it was. */
  | { readonly do: 'answer'; readonly at: number }
  | { readonly do: 'wipe'; readonly share: number }

/** One reading, and what happens before and while it goes on. All of it is data, so that it can be played again and cut. */
export interface Step {
  /** Clocks jump: forward by days at times, and back by minutes. */
  readonly laterMs: number
  readonly changes: readonly Change[]
  /** Before each further page. */
  readonly between: readonly (readonly Change[])[]
  readonly faults: readonly (GoogleFault | FacebookFault | null)[]
  /** The process dies at its n-th write. */
  readonly diesAfter?: number
  readonly isManual?: boolean
  /** For this one reading the platform acts as if it had less: the share that it hides. */
  readonly hides?: number
  /** What goes wrong with the replies that are due, in order: an answer lost, a process that dies before it notes it. */
  readonly replies: readonly ('lost' | 'dies' | null)[]
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const googleFaults: readonly GoogleFault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, retryAfter: '30' },
  { kind: 'status', status: 401 },
  { kind: 'empty' },
  { kind: 'loop' },
  { kind: 'overlap' },
  { kind: 'drift' },
  { kind: 'cut' },
]
const facebookFaults: readonly FacebookFault[] = [
  { kind: 'error', code: 2 },
  { kind: 'error', code: 32 },
  { kind: 'error', code: 12 },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'loop' },
  { kind: 'overlap' },
  { kind: 'slip' },
  { kind: 'slip' },
  { kind: 'cut' },
  { kind: 'storyless' },
]

/** A year by chance, the same one for the same source of chance. */
export function drawYear(random: Random, platform: Platform, steps: number): Step[] {
  return Array.from({ length: steps }, () => drawStep(random, platform))
}

function drawStep(random: Random, platform: Platform): Step {
  const faults: readonly (GoogleFault | FacebookFault)[] =
    platform === 'google' ? googleFaults : facebookFaults
  const isStormy = random.chance(0.3)
  const hides = random.chance(0.05)
  return {
    laterMs: hides
      ? random.below(20 * 60) * minuteMs + 3 * hourMs
      : random.chance(1 / 60)
        ? 3 * 24 * hourMs
        : random.chance(1 / 40)
          ? -5 * minuteMs
          : random.below(24 * 60) * minuteMs,
    changes: [
      ...Array.from({ length: random.below(12) }, () => drawChange(random)),
      ...(random.chance(1 / 150) ? [{ do: 'wipe', share: random.below(100) / 100 } as const] : []),
    ],
    between: Array.from({ length: random.chance(0.5) ? 6 : 0 }, () =>
      random.chance(0.3) ? Array.from({ length: 1 + random.below(3) }, () => drawChange(random)) : [],
    ),
    faults: isStormy ? Array.from({ length: 6 }, () => (random.chance(0.5) ? random.one(faults) : null)) : [],
    replies: Array.from({ length: 3 }, () => (random.chance(0.2) ? random.one(['lost', 'dies']) : null)),
    ...(random.chance(1 / 8) ? { diesAfter: random.below(14) } : {}),
    ...(random.chance(0.1) ? { isManual: true } : {}),
    ...(hides ? { hides: 0.3 + random.below(70) / 100 } : {}),
  }
}

/** More comes than goes, and what was moderated away comes back as often as not. */
function drawChange(random: Random): Change {
  const at = random.below(100) / 100
  const stars = 1 + random.below(5)
  const drawn = random.next()
  if (drawn < 0.38) {
    return { do: 'write', stars, isSilent: random.chance(0.25), agoMs: random.below(60) * minuteMs }
  }
  if (drawn < 0.56) return { do: 'edit', at, stars }
  if (drawn < 0.82) return { do: 'remove', at, isModerated: random.chance(0.3) }
  return drawn < 0.88 ? { do: 'restore' } : { do: 'answer', at }
}

/** A step with less in it. */
export function simplerStep(step: Step): Step[] {
  const { diesAfter, isManual, hides, ...rest } = step
  const whole = { ...rest, ...(hides === undefined ? {} : { hides }) }
  const bare: Step = { laterMs: step.laterMs, changes: [], between: [], faults: [], replies: [] }
  const lesser: Step[] = [
    bare,
    ...(diesAfter === undefined && isManual === undefined ? [] : [whole]),
    ...(hides === undefined ? [] : [{ ...step, hides: undefined } as unknown as Step]),
    ...(['changes', 'between', 'faults', 'replies'] as const).flatMap((part) =>
      step[part].length === 0 ? [] : [{ ...step, [part]: [] }],
    ),
    ...step.changes.map((_, place) => ({ ...step, changes: step.changes.toSpliced(place, 1) })),
    ...step.faults.flatMap((fault, place) =>
      fault === null ? [] : [{ ...step, faults: step.faults.with(place, null) }],
    ),
  ]
  return lesser.filter((one) => JSON.stringify(one).length < JSON.stringify(step).length)
}
