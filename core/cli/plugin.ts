import type { Command } from 'commander'
import type { PluginState } from '../product/installed-plugins'
import type { Cli } from './cli'
import { printAnswer } from './print/print'

const removeHelp = `
Take the plugin out of PLUGINS and stop Renown first. The command says which rows the plugin has in this data and changes nothing. With
--delete-rows it deletes them for good and forgets the plugin.

Example:
  $ bun renown plugin remove app-reviews --delete-rows`

/** `bun renown plugin list|remove`: which plugins have used this data, and how to remove one. */
export function addPlugin(program: Command, cli: Cli): void {
  const plugin = program.command('plugin').description('list or remove plugins that have used this data')
  const options = { allowsMissingPlugins: true }
  plugin
    .command('list')
    .description('List the plugins that have used this data')
    .addHelpText('after', '\nExample:\n  $ bun renown plugin list')
    .action(async () => {
      const plugins = await cli.withLink((link) => link.get<PluginState[]>('/plugins'), options)
      const rows = plugins.map(({ rows: counts, ...one }) => ({
        ...one,
        rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
      }))
      printAnswer(cli.terminal, cli.json(), cli.json() ? plugins : rows)
    })
  plugin
    .command('remove')
    .description('Remove a plugin that is not loaded, and its rows')
    .argument('<name>', 'name of the plugin')
    .option('--delete-rows', 'delete its rows permanently')
    .addHelpText('after', removeHelp)
    .action(async (name: string, { deleteRows = false }: { deleteRows?: boolean }) => {
      const body = { name, deletes_rows: deleteRows }
      printAnswer(
        cli.terminal,
        cli.json(),
        await cli.withLink((link) => link.post<Record<string, unknown>>('/plugins/remove', body), options),
      )
    })
}
