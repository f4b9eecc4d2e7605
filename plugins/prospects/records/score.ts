import type { Section } from './section'

/** The weight of each part. Parts with a score share the total. */
export const weights = { reviews: 30, traffic: 25, profile: 20, visibility: 15, mentions: 10 } as const

/** Minimum weight of the known parts for a total score. */
export const weightMin = 40

export type Findings = Readonly<Partial<Record<keyof typeof weights, Section>>>

/** Returns the total score from 0 to 100, or null if too little is known. */
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
