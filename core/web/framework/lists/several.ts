import * as v from 'valibot'
import type { ListAct, ListActs, ListUndo, SeveralDone } from '../../../contracts/list'
import type { AnyAction } from '../../../contracts/page'
import { actForEach, type ItemOutcome } from '../../../kit/acts/on-page'

/** Rows that are chosen at once. A form has at most 200 fields. */
const chosenMax = 150
const whyMax = 5

/** One row comes as a text, several as a list. */
const chosen = v.pipe(
  v.optional(v.union([v.string(), v.array(v.string())]), []),
  v.transform((sent) => [sent].flat()),
  v.array(v.pipe(v.string(), v.maxLength(200))),
  v.minLength(1, 'Choose at least one.'),
  v.maxLength(chosenMax, `Choose at most ${chosenMax}.`),
)

/** The name of the form that does an act with several rows. */
export const severalForm = (name: string): string => `several-${name}`
const undoForm = (name: string): string => `undo-${name}`

/** Returns the forms of a list that act on several rows, and those that take it back. */
// biome-ignore lint/suspicious/noExplicitAny: a list has any rows
export function severalActions(list: ListActs<any>): Readonly<Record<string, AnyAction>> {
  return Object.fromEntries(
    Object.entries(list.acts).flatMap(([name, declared]) => [
      [severalForm(name), formOf(declared, (all) => doneOf(list, name, declared, all))] as const,
      ...(declared.undo
        ? [[undoForm(name), formOf(declared.undo, (all) => undoneOf(list, all))] as const]
        : []),
    ]),
  )
}

function formOf(
  { act, given }: ListUndo,
  done: (outcomes: readonly ItemOutcome[]) => SeveralDone,
): AnyAction {
  const { called, inForms = called } = act.declared.on
  return actForEach(act, {
    field: 'chosen',
    list: chosen,
    gives: [inForms, ...Object.keys(given?.('') ?? {}), ...Object.keys(act.declared.seen ?? {})],
    given: (item) => {
      const [id = '', seen = ''] = item.split('~', 2)
      return { [inForms]: id, ...given?.(seen) }
    },
    after: (outcomes) => ({ shown: done(outcomes) }),
  })
}

type Counted = Pick<ListActs<unknown>, 'called'>

function doneOf(
  list: Counted,
  name: string,
  { did, undo }: ListAct,
  outcomes: readonly ItemOutcome[],
): SeveralDone {
  const items = outcomes.flatMap((outcome) => ('made' in outcome ? [outcome.item] : []))
  return {
    text: `${counted(list, items.length)} ${did}.`,
    refused: whyNot(list, outcomes),
    undo: undo && items.length > 0 ? { name: undoForm(name), items } : null,
  }
}

const undoneOf = (list: Counted, outcomes: readonly ItemOutcome[]): SeveralDone => ({
  text: `Undone for ${counted(list, outcomes.filter((outcome) => 'made' in outcome).length)}.`,
  refused: whyNot(list, outcomes),
  undo: null,
})

const counted = ({ called: [one, many] }: Counted, count: number) => `${count} ${count === 1 ? one : many}`

/** Returns each reason once, with how many rows it kept from being changed. */
function whyNot(list: Counted, outcomes: readonly ItemOutcome[]): string[] {
  const reasons = outcomes.flatMap((outcome) => ('refusal' in outcome ? [outcome.refusal.message] : []))
  return [...Map.groupBy(reasons, (reason) => reason)]
    .slice(0, whyMax)
    .map(([reason, { length }]) => `${counted(list, length)} not changed: ${reason}`)
}
