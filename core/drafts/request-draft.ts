import { ServiceFault } from '../contracts/service-fault'
import { type DraftFault, faultsText } from './guard-draft'

/** Words that a model wrote and may not write again, as data for the model. */
export interface RefusedWords {
  readonly words: string
  readonly why: string
}

/** The code of the fault when a model wrote two drafts that may not be saved. Its message says why, in the words of the guard. */
export const draftRefused = 'draft_refused'

/** What to tell a model that is asked again. Instructions hold no words of the draft, which a stranger may have led to. */
export const refusedInstruction =
  'Your last text was refused. `refused` has its words and why. Write another text without them, and claim nothing like it.'

/**
 * Asks a model for a draft. A draft that is refused is asked for a second time, with the refused words. Throws a `permanent`
 * ServiceFault with the code `draft_refused` that says why if the second one is refused too. Nothing is saved then.
 */
export async function requestDraft(
  ask: (refused: readonly RefusedWords[]) => Promise<string>,
  check: (text: string) => readonly DraftFault[],
): Promise<string> {
  const first = await ask([])
  const faults = check(first)
  if (faults.length === 0) return first
  const second = await ask(faults.map(({ quote: words, why }) => ({ words, why })))
  const again = check(second)
  if (again.length === 0) return second
  throw new ServiceFault(
    'permanent',
    `The language model wrote two drafts that may not be saved. The last one was refused: ${faultsText(again)}.`,
    { code: draftRefused },
  )
}
