import * as v from 'valibot'
import type {
  Act,
  ActAudit,
  ActDeclaration,
  ActInput,
  ActProposal,
  ActRecord,
  ActResult,
  AnyAct,
  Given,
  WorkspaceActContext,
} from '../../contracts/act'
import type { AuditedDeed, AuditOwner } from '../../contracts/audit-event'
import type { AnyEntity, Row } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import type { OwnerContext } from '../../contracts/owner'
import type { ActionContext, AnyAction } from '../../contracts/page'
import type { AnyCommand } from '../../contracts/plugin'
import type { AnyProposableChange } from '../../contracts/proposal'
import { refusedField } from '../refused-field'
import { requireRow } from '../require-row'
import { writerIn } from '../writer-in'
import { formEntries } from './form-entries'
import { filesOf, readFiles, withFiles } from './shell-files'

const printedFrom = new WeakMap<object, readonly AnyAct[]>()

/** Notes the acts that a command or a form was printed from. */
export const notePrint = (printed: object, acts: readonly AnyAct[]): void =>
  void printedFrom.set(printed, acts)

/** Returns the acts that a command or a form was printed from. Empty if it was declared by hand. */
export const actsOfPrint = (printed: object): readonly AnyAct[] => printedFrom.get(printed) ?? []

type Typed = Readonly<Record<string, unknown>>

/** Declares an act, and prints its command, its form and its proposal. `actOperation` prints an operation. */
export function defineAct<
  E extends AnyEntity,
  F extends v.ObjectEntries = Record<never, never>,
  S extends v.ObjectEntries = Record<never, never>,
  M = unknown,
>(declared: ActDeclaration<E, F, S, M>): Act<E, F, S, M> {
  const perform = performing(declared)
  const submit = submitting(declared, perform)
  const act = {
    declared,
    perform,
    performForAgent: performingForAgent(declared),
    submit,
    command: commandOf(declared, perform),
    form: formOf(declared, submit),
  }
  notePrint(act.command, [act])
  notePrint(act.form, [act])
  return act
}

type Perform<E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries, M = unknown> = Act<
  E,
  F,
  S,
  M
>['perform']

const performing =
  <E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries, M>(
    declared: ActDeclaration<E, F, S, M>,
  ): Perform<E, F, S, M> =>
  async (ctx, about) => {
    const { row, input } = about
    if (declared.runInWorkspace) {
      const workspace_id = String(row.workspace_id)
      if (declared.startsWork) await ctx.requireActive(workspace_id)
      const made = await declared.runInWorkspace(workspacePart(ctx, workspace_id), about)
      for (const entry of entriesOf(declared.audit, declared.audit?.what, row, made))
        await ctx.recordAudit({ ...entry, workspace_id, by: ctx.by })
      return made
    }
    const { audit } = declared
    const made = await declared.run(ctx, about)
    if (!audit || made.isChanged === false) return made
    const subject = made.subject ?? (await audit.subject?.(ctx, row, input, made))
    const what = typeof audit.what === 'function' ? audit.what(input, row, ctx) : audit.what
    const whose = auditOwnerOf(entityOf(declared.on, row.id), row)
    for (const entry of entriesOf(audit, what, row, { ...made, ...(subject !== undefined && { subject }) }))
      await ctx.recordAudit({ ...entry, ...whose, by: ctx.by })
    return made
  }

/** Returns what the audit entry about a record belongs to. */
const auditOwnerOf = ({ scope: { by, field } }: AnyEntity, row: Row<AnyEntity>): AuditOwner =>
  by === 'agency'
    ? { agency_id: textIn(row, field) }
    : { workspace_id: by === 'self' ? row.id : textIn(row, 'workspace_id') }

const textIn = (row: object, field: string) => String((row as Readonly<Record<string, unknown>>)[field])

const performingForAgent =
  <E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries, M>(
    declared: ActDeclaration<E, F, S, M>,
  ): Act<E, F, S, M>['performForAgent'] =>
  async (ctx, { row, input, seen }) => {
    const about = { row, input, seen, isByAgent: true as const }
    if (declared.runForAgent) return declared.runForAgent(ctx, about)
    if (!declared.runInWorkspace) throw new Error(`${declared.name} needs the system context`)
    const made = await declared.runInWorkspace(ctx, about)
    for (const entry of entriesOf(declared.audit, declared.audit?.what, row, made))
      await ctx.recordAudit?.(entry)
    return made
  }

/** Returns what an act has of the system context if it works inside one workspace. */
const workspacePart = (ctx: OwnerContext, workspace_id: string): WorkspaceActContext => ({
  ...writerIn(ctx, workspace_id),
  model: ctx.outbound.model,
  extensions: ctx.extensions,
  settings: ctx.settings,
})

/** Returns the audit entries of what an act did: none if it changed nothing, and one for each part. */
function entriesOf(
  audit:
    | Pick<ActAudit<AnyEntity, v.ObjectEntries>, 'action' | 'isHistory' | 'historyOf' | 'isOfCredential'>
    | undefined,
  words: string | Readonly<Record<string, string>> | undefined,
  row: Row<AnyEntity>,
  { isChanged, parts, said, detail, subject, created }: ActResult,
): AuditedDeed[] {
  if (!audit || words === undefined || isChanged === false) return []
  return (parts ?? [said]).map((part) => {
    const what = chosenBy(part, words)
    return {
      action: chosenBy(part, audit.action),
      what: detail === undefined ? what : `${what}: ${detail}`,
      ...(subject === undefined ? {} : { subject }),
      ...(audit.historyOf || audit.isHistory
        ? { record_id: audit.historyOf?.(row) ?? created ?? row.id }
        : {}),
      ...(audit.isOfCredential && { credential: row.id }),
    }
  })
}

/** Returns a part of an audit entry. With several, the word of the sentence chooses one. */
function chosenBy<T extends string>(said = '', parts: T | Readonly<Record<string, T>>): T {
  const chosen = typeof parts === 'string' ? parts : parts[said]
  if (chosen === undefined) throw new Error(`No audit entry is declared for ${said}`)
  return chosen
}

function commandOf<E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries, M>(
  declared: ActDeclaration<E, F, S, M>,
  perform: Perform<E, F, S, M>,
): AnyCommand {
  const { name, summary, on, fields = {}, positional = [], secrets, proposal, label = name } = declared
  const { faultsIn } = declared
  const files = filesOf(declared)
  const own = namedBy(on)
  const typed = withFiles(fields, files)
  const options = on.inShell?.areOptions ?? []
  const areOptions = options === true
  const at = async (ctx: OwnerContext, typed: Typed, seen?: Given<S>): Promise<ActResult> => {
    const row = await typedRow(ctx, on, typed)
    const input = Object.fromEntries(Object.entries(typed).filter(([field]) => !(field in own)))
    return perform(ctx, { row, input: input as Given<F>, seen })
  }
  return {
    name,
    summary,
    input: v.strictObject(areOptions ? { ...typed, ...own } : { ...own, ...typed }),
    positional: [...Object.keys(own).filter((one) => !areOptions && !options.includes(one)), ...positional],
    ...(secrets && { secrets }),
    ...(faultsIn && { faultsIn }),
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

function formOf<E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries, M>(
  declared: ActDeclaration<E, F, S, M>,
  submit: Act<E, F, S, M>['submit'],
): AnyAction {
  const { on, fields = {}, seen = {}, forms = {}, sure, only, refusesDemo, auth = 'session' } = declared
  const { shellFields = [] } = declared
  const { done = '', upload, faultsIn } = declared
  return {
    auth,
    ...(only && { only }),
    ...(refusesDemo && { refusesDemo }),
    done: typeof done === 'string' ? done : (Object.values(done)[0] ?? ''),
    ...(upload && { file: { field: upload.field, bytesMax: upload.bytesMax } }),
    ...(faultsIn && { faultsIn: (ctx: ActionContext, sent: Typed) => faultsIn(ctx.owner, sent) }),
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
  <E extends AnyEntity, F extends v.ObjectEntries, S extends v.ObjectEntries, M>(
    declared: ActDeclaration<E, F, S, M>,
    perform: Perform<E, F, S, M>,
  ): Act<E, F, S, M>['submit'] =>
  async (ctx, { [idIn(declared.on)]: id, sure, ...sent }) => {
    const { done = '', seen = {}, fields = {}, shellFields = [] } = declared
    if (declared.sure !== undefined && sure !== 'yes') throw refusedField('sure', declared.sure, 'required')
    const faults = declared.faultsIn?.(ctx.owner, sent) ?? []
    if (faults.length > 0)
      throw new Refusal('invalid_field', 'A value in the form is invalid.', { errors: [...faults] })
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
async function rowOf<E extends AnyEntity>(
  ctx: ActionContext,
  { on }: { readonly on: ActRecord<E> },
  id: string,
): Promise<Row<E>> {
  if (on.ofPerson) return requireRow(ctx.system.rows(on.entity), on.called, on.ofPerson(ctx))
  const row = await ctx.rows(entityOf(on, id)).get(id)
  if (row) return row
  if (on.choose !== undefined) throw refusedField(idIn(on), on.choose)
  throw new Refusal('not_found', `There is no such ${on.called} in this workspace.`)
}
