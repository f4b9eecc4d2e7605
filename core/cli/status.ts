import { resolve } from 'node:path'
import type { Command } from 'commander'
import { holderOf } from '../process/data-folder'
import type { Cli } from './cli'
import { printAnswer } from './print/print'
import { exitCodes } from './print/terminal'

/** `bun renown status`: prints where the running product is. Exit code 3 if none runs. */
export function addStatus(program: Command, cli: Cli): void {
  program
    .command('status')
    .description('Show whether the product runs, where it listens and which stores it uses')
    .addHelpText('after', '\nExample:\n  $ bun renown status --json')
    .action(async () => {
      const { RENOWN_DATA_DIR } = cli.link.config
      const link = await cli.connect()
      const status = link
        ? await link.get<Record<string, unknown>>('/status')
        : { data_dir: resolve(RENOWN_DATA_DIR), held_by: holderOf(RENOWN_DATA_DIR) }
      printAnswer(cli.terminal, cli.json(), { running: link !== null, ...status })
      if (!link) cli.exit(exitCodes.unreachable)
    })
}
