import * as v from 'valibot'
import type {
  Act,
  ActDeclaration,
  ActInput,
  ActProposal,
  ActRecord,
  ActResult,
  AnyAct,
  Given,
} from '../../contracts/act'
import type { AnyEntity, Row } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import type { OwnerContext } from '../../contracts/owner'
import type { ActionContext, AnyAction } from '../../contracts/page'
import type { AnyCommand } from '../../contracts/plugin'
import type { AnyProposableChange } from '../../contracts/proposal'
import { refusedField } from '../refused-field'
import { requireRow } from '../require-row'
import { formEntries } from './form-entries'
import { filesOf, readFiles, withFiles } from './shell-files'

const printedFrom = new WeakMap<object, readonly AnyAct[]>()

/** Notes the acts that a command or a form was printed from. */
export const notePrint = (printed: object, acts: readonly AnyAct[]): void =>
  void printedFrom.set(printed, acts)

/** Returns the acts that a command or a form was printed from. Empty if it was declared by hand. */
export const actsOfPrint = (printed: object): readonly AnyAct[] => printedFrom.get(printed) ?? []

type Typed = Readonly<Record<string, unknown>>

/** Declares an act, and prints its command, its form and its proposal. */
export function defineAct<
  E extends AnyEntity,
  F extends v.ObjectEntries = Record<never, never>,
  S extends v.ObjectEntries = Record<never, never>,
>(declared: ActDeclaration<E, F, S>): Act<E, F, S> {
  const perform = performing(declared)
  const submit = submitting(declared, perform)
  const act = {
    declared,
    perform,
    submit,
    command: commandOf(declared, perform),
    form: formOf(declared, submit),
  }
  notePrint(act.command, [act])
  notePrint(act.form, [act])
  return act
}

type Perform<E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries> = Act<
  E,
  F,
  S
>['perform']

const performing =
  <E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries>({
    audit,
    run,
  }: ActDeclaration<E, F, S>): Perform<E, F, S> =>
  async (ctx, about) => {
    const made = await run(ctx, about)
    if (!audit || made.isChanged === false) return made
    const { row, input } = about
    const workspace_id = audit.workspaceOf ? await audit.workspaceOf(ctx, row) : row.workspace_id
    if (workspace_id === undefined) return made
    const subject = await audit.subject?.(ctx, row, input, made)
    for (const part of made.parts ?? [made.said]) {
      const what = typeof audit.what === 'function' ? audit.what(input, row, ctx) : chosenBy(part, audit.what)
      await ctx.recordAudit({
        workspace_id,
        action: chosenBy(part, audit.action),
        what: made.detail === undefined ? what : `${what}: ${made.detail}`,
        by: ctx.by,
        ...(subject === undefined ? {} : { subject }),
        ...(audit.historyOf || audit.isHistory
          ? { record_id: audit.historyOf?.(row) ?? made.created ?? row.id }
          : {}),
      })
    }
    return made
  }

/** Returns a part of an audit entry. With several, the word of the sentence chooses one. */
function chosenBy<T extends string>(said = '', parts: T | Readonly<Record<string, T>>): T {
  const chosen = typeof parts === 'string' ? parts : parts[said]
  if (chosen === undefined) throw new Error(`No audit entry is declared for ${said}`)
  return chosen
}

function commandOf<E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries>(
  declared: ActDeclaration<E, F, S>,
  perform: Perform<E, F, S>,
): AnyCommand {
  const { name, summary, on, fields = {}, positional = [], secrets, proposal, label = name } = declared
  const files = filesOf(declared)
  const own = namedBy(on)
  const typed = withFiles(fields, files)
  const areOptions = on.inShell?.areOptions ?? false
  const at = async (ctx: OwnerContext, typed: Typed, seen?: Given<S>): Promise<ActResult> => {
    const row = await typedRow(ctx, on, typed)
    const input = Object.fromEntries(Object.entries(typed).filter(([field]) => !(field in own)))
    return perform(ctx, { row, input: input as Given<F>, seen })
  }
  return {
    name,
    summary,
    input: v.strictObject(areOptions ? { ...typed, ...own } : { ...own, ...typed }),
    positional: [...(areOptions ? [] : Object.keys(own)), ...positional],
    ...(secrets && { secrets }),
    ...(proposal && {
      proposal: proposalOf({ proposal, label, on: on.field, fields: Object.keys(fields) }, at),
    }),
    run: async (ctx: OwnerContext, typed: Typed) => (await at(ctx, readFiles(typed, files))).answer,
  }
}

/** Returns the fields by which the shell names the record. */
const namedBy = <E extends AnyEntity>({ inShell, field, called }: ActRecord<E>): v.ObjectEntries =>
  inShell?.fields ?? { [field]: v.pipe(v.string(), v.description(`Id of the ${called}`)) }

/** Returns the record that was named in the shell. */
async function typedRow<E extends AnyEntity>(
  ctx: OwnerContext,
  on: ActRecord<E>,
  typed: Typed,
): Promise<Row<E>> {
  const { inShell, field, called, hint } = on
  if (!inShell) {
    const id = String(typed[field])
    return requireRow(ctx.rows(entityOf(on, id)), called, id, hint)
  }
  const row = await inShell.find(ctx, typed)
  if (row) return row
  const named = String(typed[Object.keys(inShell.fields).at(-1) ?? ''])
  throw new Refusal('not_found', `There is no ${called} ${named}.`, hint === undefined ? {} : { hint })
}

/** Returns the record type of an id. */
const entityOf = <E extends AnyEntity>({ entity, otherwise = [] }: ActRecord<E>, id: string): E =>
  [entity, ...otherwise].find(({ idPrefix }) => id.startsWith(`${idPrefix}_`)) ?? entity

interface Proposable<F extends v.ObjectEntries, S extends v.ObjectEntries> {
  readonly proposal: ActProposal<F, S>
  readonly label: string
  readonly on: string
  readonly fields: readonly string[]
}

const proposalOf = <F extends v.ObjectEntries, S extends v.ObjectEntries>(
  { proposal, label, on, fields }: Proposable<F, S>,
  at: (ctx: OwnerContext, typed: Typed, seen?: Given<S>) => Promise<ActResult>,
): AnyProposableChange => ({
  label,
  takes: [on, ...(proposal.takes ?? fields)],
  prepare: proposal.prepare,
  run: async (ctx, { input, basis }) => (await at(ctx, input, proposal.seen?.(basis))).queued,
  ...(proposal.outcome && { outcome: proposal.outcome }),
})

function formOf<E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries>(
  declared: ActDeclaration<E, F, S>,
  submit: Act<E, F, S>['submit'],
): AnyAction {
  const { on, fields = {}, seen = {}, forms = {}, sure, only, refusesDemo, auth = 'session' } = declared
  const { shellFields = [] } = declared
  const { done = '', upload } = declared
  return {
    auth,
    ...(only && { only }),
    ...(refusesDemo && { refusesDemo }),
    done: typeof done === 'string' ? done : (Object.values(done)[0] ?? ''),
    ...(upload && { file: { field: upload.field, bytesMax: upload.bytesMax } }),
    input: v.strictObject({
      ...(on.ofPerson ? {} : { [idIn(on)]: idEntry(on) }),
      ...formEntries(without(fields, shellFields), forms),
      ...seen,
      ...(sure === undefined ? {} : { sure: v.optional(v.literal('yes')) }),
    }),
    async run(ctx: ActionContext, sent: Typed) {
      const { shown, said } = await submit(ctx, sent)
      return { ...(shown === undefined ? {} : { shown }), ...(said === undefined ? {} : { said }) }
    },
  }
}

const pick = (fields: v.ObjectEntries, names: readonly string[]): v.ObjectEntries =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

const without = (fields: v.ObjectEntries, names: readonly string[]): v.ObjectEntries =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const idEntry = ({ choose }: { readonly choose?: string }) =>
  choose === undefined ? v.string() : v.pipe(v.optional(v.string(), ''), v.minLength(1, choose))

const submitting =
  <E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries>(
    declared: ActDeclaration<E, F, S>,
    perform: Perform<E, F, S>,
  ): Act<E, F, S>['submit'] =>
  async (ctx, { [idIn(declared.on)]: id, sure, ...sent }) => {
    const { done = '', seen = {}, fields = {}, shellFields = [] } = declared
    if (declared.sure !== undefined && sure !== 'yes') throw refusedField('sure', declared.sure, 'required')
    const row = await rowOf(ctx, declared, String(id))
    const parts = Object.entries(sent)
    const made = await perform(ctx.owner, {
      row,
      input: {
        ...v.getDefaults(v.object(pick(fields, shellFields))),
        ...Object.fromEntries(parts.filter(([name]) => !(name in seen))),
      } as Given<F>,
      seen: Object.fromEntries(parts.filter(([name]) => name in seen)) as Given<S>,
    } satisfies ActInput<E, F, S>)
    const said = made.said ?? (typeof done === 'string' ? undefined : Object.keys(done)[0])
    return said === undefined ? made : { ...made, said }
  }

const idIn = ({ called, inForms = called }: { readonly called: string; readonly inForms?: string }) => inForms

/** Returns the record of a form. It must be in the person's workspace, or be what the person belongs to. */
async function rowOf<E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries>(
  ctx: ActionContext,
  { on }: ActDeclaration<E, F, S>,
  id: string,
): Promise<Row<E>> {
  if (on.ofPerson) return requireRow(ctx.system.rows(on.entity), on.called, on.ofPerson(ctx))
  const row = await ctx.rows(entityOf(on, id)).get(id)
  if (row) return row
  if (on.choose !== undefined) throw refusedField(idIn(on), on.choose)
  throw new Refusal('not_found', `There is no such ${on.called} in this workspace.`)
}
