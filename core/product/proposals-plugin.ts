import type { AnyCommand, PluginDeclaration } from '../contracts/plugin'
import { workspaceLimits } from '../contracts/workspace-limits'
import { definePlugin, inboxEntry } from '../kit'
import { checkPluginShape } from '../registry/plugin-checks'
import { confined, withShared } from '../registry/plugin-context'
import { type Changes, changesOf, proposalsPluginName } from '../tenancy/proposals/changes'
import { Proposal } from '../tenancy/proposals/Proposal'
import { proposalActs } from '../tenancy/proposals/proposal-acts'
import { proposalLimits } from '../tenancy/proposals/proposal-limits'
import { proposalSweep } from '../tenancy/proposals/proposal-sweep'
import { proposalsDemo } from '../tenancy/proposals/proposals-demo'
import { proposeChange } from '../tenancy/proposals/proposeChange'
import { proposalEntries } from '../web/pages/proposals/proposal-entries'
import { proposalsPage } from '../web/pages/proposals/proposals-page'

/** What agents propose and people decide, for the commands of these plugins that may be proposed. */
export const proposalsPlugin = (plugins: readonly PluginDeclaration[]): PluginDeclaration => {
  const changes = changesFor(plugins)
  const acts = proposalActs(changes)
  return definePlugin({
    name: proposalsPluginName,
    summary: 'Changes that agents propose, for people to approve',
    renown: '^1.0.0',
    entities: [Proposal],
    operations: changes.size === 0 ? [] : [proposeChange(changes)],
    jobs: { proposalSweep: proposalSweep(changes) },
    provides: [inboxEntry.with(proposalEntries(changes, acts)), workspaceLimits.with(proposalLimits)],
    pages: [proposalsPage(changes, acts)],
    demo: proposalsDemo(plugins),
  })
}

/** Returns the changes that agents may propose. Their functions get contexts with the rights of the plugin that declares them. */
export function changesFor(plugins: readonly PluginDeclaration[]): Changes {
  const all = withShared(plugins.map((plugin) => checkPluginShape(plugin).sound))
  return changesOf(all.flatMap((plugin) => commandsOf(confined(plugin))))
}

/** Returns the commands that have a form. The registry reports the others. */
const commandsOf = ({ commands }: { readonly commands?: unknown }): AnyCommand[] =>
  Array.isArray(commands) ? commands.filter((one) => typeof one?.name === 'string' && one.input) : []
