import type { NamedAnswer } from './newest-answers'

/** Answers that name a competitor and not the brand. */
export interface LostTo {
  readonly name: string
  readonly answers: number
}

/** The lost answers of one prompt, engine or country. */
export interface Lost {
  /** Answers that name at least one competitor and not the brand. */
  readonly answers: number
  /** The competitors that they name, the most named first. */
  readonly to: readonly LostTo[]
}

/** Counts lost answers by what `keyOf` returns for each. */
export function lostBy(
  answers: readonly NamedAnswer[],
  keyOf: (answer: NamedAnswer) => string,
): ReadonlyMap<string, Lost> {
  const groups = Map.groupBy(
    answers.filter((one) => !one.brand_mentioned && one.competitor_mentions.length > 0),
    keyOf,
  )
  return new Map([...groups].map(([key, own]) => [key, lostIn(own)]))
}

function lostIn(answers: readonly NamedAnswer[]): Lost {
  const counts = new Map<string, number>()
  for (const { competitor_mentions } of answers) {
    for (const name of new Set(competitor_mentions.map((one) => one.name)))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const to = [...counts]
    .map(([name, answers]) => ({ name, answers }))
    .sort((a, b) => b.answers - a.answers || (a.name < b.name ? -1 : 1))
  return { answers: answers.length, to }
}
