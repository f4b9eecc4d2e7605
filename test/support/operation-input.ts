import type { AnyEntity, AnyOperation } from 'renown'
import { shapeOf } from '../../core/kit/fields'
import { exampleForReaders } from '../../core/registry/examples'
import { randomSource } from './random-documents'

interface KnownRow {
  readonly entity: AnyEntity
  readonly id: string
}

/** An operation's example with ids of rows of any workspace in place of its own. */
export function inputFrom(
  operation: AnyOperation,
  rows: readonly KnownRow[],
  seed: number,
): Record<string, unknown> {
  const random = randomSource(seed)
  const input = { ...(exampleForReaders(operation.input) as Record<string, unknown>) }
  for (const { name, kind, optional } of shapeOf(operation.input).fields ?? []) {
    if (optional && random.chance(0.7)) delete input[name]
    if (optional && !(name in input)) continue
    if (!/_ids?$/.test(name)) continue
    const kindOfRow =
      name
        .replace(/_ids?$/, '')
        .split('_')
        .at(-1) ?? ''
    const alike = rows.filter(({ entity }) => entity.name.toLowerCase().endsWith(kindOfRow))
    const ids = (alike.length > 0 ? alike : rows).map(({ id }) => id)
    const pick = () => random.one(ids)
    input[name] = kind === 'array' ? [pick(), pick(), pick()] : pick()
  }
  // The name in the example is of no workspace, and a list with such a member is refused whole.
  if ('workspaces' in input) input.workspaces = ['*']
  return input
}
