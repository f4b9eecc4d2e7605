import { Command, CommanderError } from 'commander'
import { messageOf } from 'renown/contracts'
import { addShip, type ShipProcess } from './options'
import { runShip } from './run'

/** Runs `renown ship …`: the words follow `ship`. Returns the exit code. */
export async function shipCommand(words: readonly string[], process: ShipProcess): Promise<number> {
  const program = new Command('renown').exitOverride()
  addShip(program, (wanted, options) => runShip(wanted, options, process))
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) command.exitOverride()
  try {
    await program.parseAsync(['ship', ...words], { from: 'user' })
    return 0
  } catch (error) {
    // Commander has told what was typed wrongly.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.say(messageOf(error))
    return 1
  }
}
