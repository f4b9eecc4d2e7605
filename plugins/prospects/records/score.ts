import type { Section } from './section'

/** How much each part counts. The parts that have a score share the whole among them. */
export const weights = { reviews: 30, traffic: 25, profile: 20, visibility: 15, mentions: 10 } as const

/** Below this much of the weight known, a single figure would claim more than is known. */
export const weightMin = 40

export type Findings = Readonly<Partial<Record<keyof typeof weights, Section>>>

/** All in one figure from 0 to 100; null where too little is known. */
export function scoreOf(findings: Findings): number | null {
  let known = 0
  let sum = 0
  for (const [part, weight] of Object.entries(weights)) {
    const score = findings[part as keyof typeof weights]?.score
    if (score === undefined) continue
    known += weight
    sum += weight * score
  }
  return known < weightMin ? null : Math.round(sum / known)
}
