import type { PluginDeclaration } from '../contracts/plugin'

/** Returns a plugin with the current names of what it declares. Their old names work until 1.2. */
export function withNewNames<P extends PluginDeclaration>(plugin: P): P {
  const { reactions, subscribers = reactions, queues, ...rest } = plugin
  return {
    ...rest,
    ...(subscribers && { subscribers }),
    ...(queues && {
      queues: Object.fromEntries(
        Object.entries(queues).map(([name, { buried, onDeadLetter = buried, ...queue }]) => [
          name,
          { ...queue, ...(onDeadLetter && { onDeadLetter }) },
        ]),
      ),
    }),
  } as unknown as P
}

/** Returns what a plugin declares under both its current and its old name. */
export function renamedFaults({ name, reactions, subscribers, queues = {} }: PluginDeclaration): string[] {
  const both = (current: string, old: string) => `${name}: use ${current} alone, not also its old name ${old}`
  return [
    ...(subscribers && reactions ? [both('subscribers', 'reactions')] : []),
    ...Object.values(queues).flatMap(({ onDeadLetter, buried }) =>
      onDeadLetter && buried ? [both('onDeadLetter', 'buried')] : [],
    ),
  ]
}
