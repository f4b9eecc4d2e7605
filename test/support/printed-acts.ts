import type { AnyAct } from '../../core/contracts/act'
import { actsOfPrint } from '../../core/kit/acts/define-act'
import { withCore } from '../../core/product/core-plugins'
import { builtin } from '../../plugins/index'

const plugins = withCore(builtin)

/** Every act of the product, by the plugin that declares it: the one with its command. Pages of others can have its form too. */
export function shippedActs(): ReadonlyMap<string, readonly AnyAct[]> {
  const inShell = new Set(plugins.flatMap(({ commands = [] }) => commands.flatMap(actsOfPrint)))
  const found = plugins.map(({ name, commands = [], operations = [], pages = [] }) => {
    const forms = pages.flatMap(({ actions = {}, submit }) => [
      ...Object.values(actions),
      ...(submit ? [submit] : []),
    ])
    const others = [...operations, ...forms].flatMap(actsOfPrint).filter((act) => !inShell.has(act))
    const acts = new Set([...commands.flatMap(actsOfPrint), ...others])
    return [name, [...acts].sort((a, b) => (a.declared.name < b.declared.name ? -1 : 1))] as const
  })
  return new Map(found.filter(([, acts]) => acts.length > 0))
}

/** Returns `docs/reference/acts.md`. */
export const actsPage = (): string =>
  [
    '# What people do',
    '<!-- Printed from the code by `bun run docs`. Change the code, not this page. -->',
    'An act is declared once. Its command, its form, the proposal of agents and its audit entry come from the declaration.',
    ...[...shippedActs()].map(([plugin, acts]) => `## ${plugin}\n\n${acts.map(actPart).join('\n\n')}`),
    '',
  ].join('\n\n')

/** Returns the names of the operations that are printed from an act. */
const operationsOf = (act: AnyAct): readonly string[] =>
  plugins.flatMap(({ operations = [] }) =>
    operations.filter((one) => actsOfPrint(one).includes(act)).map(({ name }) => name),
  )

function actPart(act: AnyAct): string {
  const { declared, command } = act
  const {
    name,
    summary,
    label,
    done = '',
    question,
    undo,
    only,
    isPageOnly,
    isShellOnly,
    audit,
    recordedByRun = [],
    proposal,
  } = declared
  const { positional = [] } = command
  const { action = [] } = audit ?? {}
  const entries = [...(typeof action === 'string' ? [action] : Object.values(action)), ...recordedByRun]
  const sentences = typeof done === 'string' ? [done] : Object.values<string>(done)
  return [
    `### ${name}\n\n${summary}.\n`,
    isPageOnly
      ? '- Only on a page.'
      : `- Shell: \`bun renown ${[name, ...positional.map((one) => `<${one}>`)].join(' ')}\``,
    ...(isShellOnly
      ? ['- Who may: operators']
      : [
          `- Button: ${label}`,
          `- Said when done: ${sentences.join(' / ')}`,
          `- Who may: ${only === 'owner' ? 'owners' : 'everyone who sees the record'}`,
        ]),
    ...(question ? [`- Asked before: ${question}`] : []),
    ...(undo ? [`- Taken back by: ${undo}`] : []),
    ...(entries.length > 0 ? [`- Audit entry: ${entries.map((one) => `\`${one}\``).join(' or ')}`] : []),
    ...operationsOf(act).map((operation) => `- Operation: \`${operation}\``),
    ...(proposal ? ['- Agents can propose it.'] : []),
  ].join('\n')
}
