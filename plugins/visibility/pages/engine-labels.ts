import type { Extensions, Row } from 'renown'
import type { PageContext } from 'renown/pages'
import { titleOf } from 'renown/web'
import { engineId, findEngine, visibilityEngine } from '../engines/engine'
import type { VisibilityTracker } from '../records/VisibilityTracker'

type Tracker = Pick<Row<typeof VisibilityTracker>, 'provider' | 'holds' | 'engines'>

/** Returns a function that names engines as people know them. */
export function engineLabels({
  system,
}: {
  readonly system: { readonly extensions: Extensions }
}): (engine: string) => string {
  const labels = new Map(system.extensions(visibilityEngine).map((one) => [engineId(one), one.label]))
  return (engine) => labels.get(engine) ?? titleOf(engine)
}

/** Returns why these trackers cannot ask an engine now, in a sentence. Null if they can. */
export function engineTrouble(
  { system, now }: Pick<PageContext, 'system' | 'now'>,
  engine: string,
  trackers: readonly Tracker[],
): string | null {
  const asking = trackers.filter(({ engines }) => engines.includes(engine))
  for (const { provider } of asking) {
    const found = findEngine(system.extensions(visibilityEngine), engine, provider)
    if (!found) return `No plugin reaches it by ${provider}.`
    const needs = found.needs(system)
    if (needs.length > 0) return `It is not set up: set ${needs.join(' and ')}.`
  }
  const at = now().toISOString()
  const held = asking
    .flatMap(({ holds = [] }) => holds)
    .find((one) => one.engine === engine && one.until > at)
  return held ? held.reason.replace(`${engine}: `, '') : null
}
