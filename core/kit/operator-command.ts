import type { GenericSchema } from 'valibot'
import type { CommandDeclaration } from '../contracts/plugin'

const operatorCommands = new WeakSet<object>()

/**
 * Declares a command about the installation itself, and not about what an agency has, such as retrying a job or adding an
 * agency. Only operators have it, so it has no act: no form, no proposal and no audit entry. An attempt to record one throws.
 */
export function defineOperatorCommand<I extends GenericSchema>(
  declared: Omit<CommandDeclaration<I>, 'proposal'>,
): CommandDeclaration<I> {
  const command: CommandDeclaration<I> = {
    ...declared,
    run: (ctx, input) => declared.run({ ...ctx, recordAudit: refuseAudit }, input),
  }
  operatorCommands.add(command)
  return command
}

const refuseAudit = (): Promise<void> =>
  Promise.reject(new Error('A command of operators records no audit entry. Declare an act.'))

/** Whether a command is about the whole installation. */
export const isOperatorCommand = (command: object): boolean => operatorCommands.has(command)
