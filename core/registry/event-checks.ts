import * as v from 'valibot'
import type { AnyEventType } from '../contracts/event-type'
import type { PluginDeclaration } from '../contracts/plugin'
import { nearest } from '../kit/suggest'

const nameForm = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/

/** Returns what is wrong with the event types of a plugin. */
export const eventFaults = ({ name, events = [] }: PluginDeclaration): string[] =>
  events.flatMap((type) => typeFaults(type).map((fault) => `${name}: event ${type.name} ${fault}`))

function typeFaults({ name, summary, data, example }: AnyEventType): string[] {
  const isStrict = data?.type === 'strict_object'
  const isSentence = /^[A-Z].*\.$/.test(summary ?? '')
  return [
    ...(nameForm.test(name ?? '') ? [] : ['has a name that is not <record>.<what_happened>']),
    ...(isStrict ? [] : ['has data that is not a v.strictObject']),
    ...(isSentence ? [] : ['has a summary that is not a sentence']),
    ...(isStrict && !v.safeParse(data, example).success ? ['has an example that does not fit its data'] : []),
  ]
}

/** Returns subscribers to events that no loaded plugin declares. */
export const subscriberFaults = (
  all: readonly PluginDeclaration[],
  types: ReadonlyMap<string, AnyEventType>,
): string[] =>
  all.flatMap(({ name, subscribers = {} }) =>
    Object.keys(subscribers).flatMap((to) => {
      if (to === '*' || types.has(to)) return []
      const near = nearest(to, [...types.keys()])
      return [
        `${name}: subscribes to ${to}, which no loaded plugin declares${near ? `; did you mean ${near}?` : ''}`,
      ]
    }),
  )
