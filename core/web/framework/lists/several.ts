import * as v from 'valibot'
import { isRefusal, type Refusal } from '../../../contracts/errors'
import type { ListAct, ListActs, ListMarking, ListUndo, SeveralDone } from '../../../contracts/list'
import type { AnyAction, PageContext } from '../../../contracts/page'
import { defineMarking } from '../../../kit'
import { actForEach } from '../../../kit/acts/on-page'
import { chosenParts } from './chosen-item'
import { inWords, isMark } from './list-words'

/** Rows that are chosen at once. A form has at most 200 fields. */
const chosenMax = 150
const whyMax = 5
const itemMax = 1_000

/** One row comes as a text, several as a list. */
const chosen = v.pipe(
  v.optional(v.union([v.string(), v.array(v.string())]), []),
  v.transform((sent) => [sent].flat()),
  v.array(v.pipe(v.string(), v.maxLength(itemMax))),
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
      [severalForm(name), formOf(declared, (all, ctx) => doneOf(list, name, declared, all, ctx))] as const,
      ...(declared.undo
        ? [[undoForm(name), formOf(declared.undo, undone(list, declared.undo))] as const]
        : []),
    ]),
  )
}

/** The result of an act on a chosen row. */
type Outcome = { readonly item: string } & ({ readonly made: unknown } | { readonly refusal: Refusal })
type Say = (outcomes: readonly Outcome[], ctx: PageContext) => SeveralDone

function formOf({ act, given }: Pick<ListUndo, 'act' | 'given'>, say: Say): AnyAction {
  if (isMark(act)) return formOfMarking(act, say)
  const { called, inForms = called } = act.declared.on
  return actForEach(act, {
    field: 'chosen',
    list: chosen,
    gives: [inForms, ...Object.keys(given?.('') ?? {}), ...Object.keys(act.declared.seen ?? {})],
    given: (item) => {
      const [id, seen] = chosenParts(item)
      return { [inForms]: id, ...given?.(seen) }
    },
    after: (outcomes, ctx) => ({ shown: say(outcomes, ctx) }),
  })
}

const formOfMarking = ({ marks, run: mark }: ListMarking, say: Say): AnyAction =>
  defineMarking({
    auth: 'session',
    marks,
    input: v.strictObject({ chosen }),
    async run(ctx, { chosen: items }) {
      const outcomes: Outcome[] = []
      for (const item of new Set(items)) {
        try {
          outcomes.push({ item, made: await mark(ctx, ...chosenParts(item)) })
        } catch (error) {
          if (!isRefusal(error)) throw error
          outcomes.push({ item, refusal: error })
        }
      }
      return { shown: say(outcomes, ctx) }
    },
  })

type Counted = Pick<ListActs<unknown>, 'called'>

function doneOf(
  list: Counted,
  name: string,
  { did, undo }: ListAct,
  outcomes: readonly Outcome[],
  ctx: PageContext,
): SeveralDone {
  const items = outcomes.flatMap((outcome) => ('made' in outcome ? [outcome.item] : []))
  const taken = items.filter((item) => undo?.isFor?.(chosenParts(item)[1]) ?? true)
  return {
    text:
      items.length === 0
        ? ''
        : typeof did === 'string'
          ? `${counted(list, items.length)} ${did}.`
          : inWords(ctx, did(items.length)),
    refused: whyNot(list, outcomes, ctx),
    undo: undo && taken.length > 0 ? { name: undoForm(name), items: taken } : null,
  }
}

const undone =
  (list: Counted, { did }: ListUndo): Say =>
  (outcomes, ctx) => {
    const { length } = outcomes.filter((outcome) => 'made' in outcome)
    return {
      text: length === 0 ? '' : did ? inWords(ctx, did(length)) : `Undone for ${counted(list, length)}.`,
      refused: whyNot(list, outcomes, ctx),
      undo: null,
    }
  }

const counted = ({ called: [one, many] }: Counted, count: number) => `${count} ${count === 1 ? one : many}`

/** Returns each reason once, with how many rows it kept from being changed. */
function whyNot(list: Counted, outcomes: readonly Outcome[], ctx: PageContext): string[] {
  const reasons = outcomes.flatMap((outcome) =>
    'refusal' in outcome ? [inWords(ctx, outcome.refusal.details.phrase ?? outcome.refusal.message)] : [],
  )
  return [...Map.groupBy(reasons, (reason) => reason)]
    .slice(0, whyMax)
    .map(([reason, { length }]) => `${counted(list, length)}: ${reason}`)
}
