import * as v from 'valibot'
import type { AnyAct, SubmittedAct } from '../../contracts/act'
import { isRefusal, type Refusal } from '../../contracts/errors'
import type { ActionContext, ActionResult, AnyAction } from '../../contracts/page'
import type { AnyCommand } from '../../contracts/plugin'
import { notePrint } from './define-act'

/** Returns the commands of acts, without those that the shell does not have. */
export const actCommands = (acts: readonly AnyAct[]): readonly AnyCommand[] =>
  acts.filter(({ declared }) => !declared.isPageOnly).map(({ command }) => command)

type Sent = Readonly<Record<string, unknown>>

/** What a page adds to the form of an act. */
export interface PageForm<X extends v.ObjectEntries = Record<never, never>> {
  /** Fields about the page, such as its query. */
  readonly fields?: X
  /** Returns the address afterwards, from all fields, the word of the notice and the result. Default: the page again. */
  to?(
    sent: v.InferOutput<v.StrictObjectSchema<X, undefined>> & Sent,
    word: string,
    made: SubmittedAct,
  ): string
}

/** Returns the form of an act on a page that goes somewhere else afterwards. `name` is the word of a single sentence. */
export function actForm<X extends v.ObjectEntries = Record<never, never>>(
  act: AnyAct,
  name: string,
  { fields, to }: PageForm<X>,
): AnyAction {
  const own = entriesOf(act.form)
  const printed: AnyAction = {
    ...act.form,
    input: v.strictObject({ ...fields, ...own }),
    async run(ctx, sent) {
      const made = await act.submit(ctx, only(own, sent))
      const { shown, said } = made
      return {
        ...(shown === undefined ? {} : { shown }),
        ...(said === undefined ? {} : { said }),
        ...(to && { to: to(sent, said ?? name, made) }),
      }
    },
  }
  notePrint(printed, [act])
  return printed
}

const only = (entries: v.ObjectEntries, sent: object) =>
  Object.fromEntries(Object.entries(sent).filter(([field]) => field in entries))

/** The result of an act for one item of a list, or why it was refused. */
export type ItemOutcome =
  | { readonly item: string; readonly made: SubmittedAct }
  | { readonly item: string; readonly refusal: Refusal }

/** A form that does an act for each item of a list that people choose. */
interface ListForm {
  /** The field with the list. */
  readonly field: string
  /** The schema of the list. Its output is an array of texts. */
  readonly list: v.GenericSchema
  /** The fields of the act that an item gives. */
  readonly gives: readonly string[]
  /** Returns the values of these fields. */
  given(item: string): Readonly<Record<string, unknown>>
  /** Returns what the page shows afterwards. */
  // biome-ignore lint/suspicious/noConfusingVoidType: an action may end without a word
  after(outcomes: readonly ItemOutcome[], ctx: ActionContext): ActionResult | void
}

/** Returns a form that does an act once for each item of a list. A refused item does not keep the others from being done. */
export function actForEach(act: AnyAct, { field, list, gives, given, after }: ListForm): AnyAction {
  const shared = Object.entries(entriesOf(act.form)).filter(([name]) => !gives.includes(name))
  const printed: AnyAction = {
    ...act.form,
    input: v.strictObject({ ...Object.fromEntries(shared), [field]: list }),
    async run(ctx, { [field]: items, ...sent }: Record<string, unknown>) {
      const outcomes: ItemOutcome[] = []
      for (const item of new Set(items as readonly string[])) {
        try {
          outcomes.push({ item, made: await act.submit(ctx, { ...sent, ...given(item) }) })
        } catch (error) {
          if (!isRefusal(error)) throw error
          outcomes.push({ item, refusal: error })
        }
      }
      return after(outcomes, ctx)
    },
  }
  notePrint(printed, [act])
  return printed
}

const entriesOf = (action: AnyAction) => (action.input as unknown as { entries: v.ObjectEntries }).entries

/** The forms of acts for a page, and the sentences after them. */
interface PageActs<Name extends string> {
  readonly actions: Readonly<Record<Name, AnyAction>>
  readonly notices: Readonly<Record<string, string>>
}

/** Returns the actions and notices of a page from acts, by the name of their form. */
export function actsOnPage<Name extends string>(acts: Readonly<Record<Name, AnyAct>>): PageActs<Name> {
  const all = Object.entries<AnyAct>(acts)
  return {
    actions: Object.fromEntries(all.map(([name, act]) => [name, act.form])) as Record<Name, AnyAction>,
    notices: Object.fromEntries(
      all.flatMap(([name, { declared }]) =>
        typeof declared.done === 'string'
          ? [[name, declared.done] as const]
          : Object.entries<string>(declared.done ?? {}),
      ),
    ),
  }
}

/** Returns the sentence after an act. `word` names one of several. */
export function sentenceAfter({ declared: { name, done } }: AnyAct, word = ''): string {
  const sentence = typeof done === 'string' ? done : done?.[word]
  if (sentence === undefined) throw new Error(`${name} says nothing for ${word}`)
  return sentence
}

/** Returns who may send a form with several acts. Throws if they differ, because the form cannot know which will be chosen. */
function sharedRules(acts: readonly AnyAct[]): Pick<AnyAction, 'auth' | 'only' | 'refusesDemo'> {
  const [first, ...others] = acts.map(({ form: { auth, only: who } }) => ({ auth, who }))
  if (!first || others.some(({ auth, who }) => auth !== first.auth || who !== first.who))
    throw new Error('Acts of one form must be for the same people')
  const refusesDemo = acts.every(({ form }) => form.refusesDemo)
  return {
    auth: first.auth,
    ...(first.who && { only: first.who }),
    ...(refusesDemo && { refusesDemo: true }),
  }
}

const doneWords = (act: AnyAct | undefined) => act?.form.done ?? ''

/**
 * Returns one form with a button for each act. The button sends the name of its act in `field`. Pressing Enter sends no
 * button, and then `fallback` is done. If several acts have a field, the form of the last one reads it.
 */
export function chosenAct<X extends v.ObjectEntries = Record<never, never>>(
  field: string,
  acts: Readonly<Record<string, AnyAct>>,
  fallback: string,
  page: PageForm<X> = {},
): AnyAction {
  const names = Object.keys(acts)
  const forms = new Map(Object.entries(acts).map(([name, act]) => [name, actForm(act, name, page)]))
  const entries: v.ObjectEntries = Object.assign({}, ...[...forms.values()].map(entriesOf))
  const rules = sharedRules(Object.values(acts))
  const printed: AnyAction = {
    ...rules,
    done: doneWords(acts[fallback]),
    input: v.strictObject({ ...entries, [field]: v.optional(v.picklist(names), fallback) }),
    async run(ctx, { [field]: chosen, ...sent }: Record<string, unknown>) {
      const form = forms.get(String(chosen))
      if (!form) throw new Error(`There is no act ${String(chosen)}`)
      return form.run(ctx, only(entriesOf(form), sent))
    },
  }
  notePrint(printed, Object.values(acts))
  return printed
}
