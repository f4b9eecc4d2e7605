import type { Command } from 'commander'
import type { ResealedField } from '../product/reseal'
import type { Cli } from './cli'
import { printAnswer } from './print/print'
import { exitCodes } from './print/terminal'

/** `bun renown secret reseal`: seals stored credentials again under the newest key. */
export function addSecrets(program: Command, cli: Cli): void {
  const secret = program
    .command('secret')
    .description('reseal: encrypt stored credentials under the newest key')
  secret
    .command('reseal')
    .description(
      'Encrypt every stored credential again under the first key of SECRETS_KEY. Then the others can go',
    )
    .addHelpText(
      'after',
      '\nPut a new key before the others in SECRETS_KEY, restart, run this, and remove the old keys.\n\nExample:\n  $ bun renown secret reseal',
    )
    .action(async () => {
      const { fields } = (await cli.withLink((link) => link.post('/secrets/reseal'))) as {
        readonly fields: readonly ResealedField[]
      }
      printAnswer(cli.terminal, cli.json(), cli.json() ? { fields } : fields.map(shown))
      if (fields.every(({ unreadable }) => unreadable.length === 0)) return
      cli.terminal.err(
        'No key opens some texts. Add the key that sealed them to SECRETS_KEY, or connect these again.\n',
      )
      cli.exit(exitCodes.failed)
    })
}

const shown = ({ record_type, field, resealed, current, unreadable }: ResealedField) => ({
  field: `${record_type}.${field}`,
  sealed_again: resealed,
  already: current,
  unreadable: unreadable.join(', ') || '–',
})
