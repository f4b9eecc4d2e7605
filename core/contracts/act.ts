import type { GenericSchema, InferOutput, ObjectEntries, StrictObjectSchema } from 'valibot'
import type { AuditedAction } from './audit-event'
import type { WriteContext, WriteRows } from './context'
import type { AnyEntity, Row } from './entity'
import type { Fault } from './errors'
import type { OwnerContext } from './owner'
import type { ActionContext, AnyAction } from './page'
import type { AnyCommand } from './plugin'
import type { ChangeOutcome, PreparedChange, ProposalReads, QueuedChange } from './proposal'

/** The fields of an act, as they are after they were checked. */
export type Given<F extends ObjectEntries> = InferOutput<StrictObjectSchema<F, undefined>>

/** The record that an act is about. The shell finds it by its id, and a form only in the workspace of the person. */
export interface ActRecord<E extends AnyEntity> {
  readonly entity: E
  /** Further record types that it can be. The prefix of an id tells which. */
  readonly otherwise?: readonly E[]
  /** The field of its id in the shell and in proposals, such as `review_id`. */
  readonly field: string
  /** Its noun, such as `review`. Forms send its id under this name, or under `inForms`. */
  readonly called: string
  /** Set on pages whose own parameter has the name of the noun. */
  readonly inForms?: string
  /** How to find ids, for the error in the shell, such as `` `renown webhook list` lists them. `` */
  readonly hint?: string
  /**
   * How the shell names it, if not by its id: fields, which of them are given by name instead of by position, and how they
   * find it.
   */
  readonly inShell?: {
    readonly fields: ObjectEntries
    /** `true`: all. */
    readonly areOptions?: true | readonly string[]
    find(ctx: OwnerContext, typed: Readonly<Record<string, unknown>>): Promise<Row<E> | null>
  }
  /** Set if people choose it in the form: the error at its field if none of the workspace is chosen. */
  readonly choose?: string
  /** Returns its id for acts about what a person belongs to, such as the agency. The form then sends no id. */
  ofPerson?(ctx: ActionContext): string
}

/** What an act does it with. */
export interface ActInput<E extends AnyEntity, F extends ObjectEntries, S extends ObjectEntries> {
  readonly row: Row<E>
  readonly input: Given<F>
  /** What the person saw when deciding. Undefined in the shell. */
  readonly seen?: Given<S> | undefined
  /** Set if an agent or a program does it, by the operation. */
  readonly isByAgent?: true
}

/** What an act does its work with inside one workspace. Commands, forms and operations have it in common. */
export interface WorkspaceActContext extends Pick<WriteContext, 'now' | 'model' | 'extensions' | 'settings'> {
  readonly workspace: { readonly id: string }
  rows<E extends AnyEntity>(entity: E): Pick<WriteRows<E>, 'get' | 'list' | 'insert' | 'update'>
}

/** What an act did. */
export interface ActResult<M = unknown> {
  /** The answer of the command. */
  readonly answer: Record<string, unknown>
  /** Set to false if everything was so already. Nothing is recorded then. */
  readonly isChanged?: boolean
  /** What exactly was done, such as `new → won`. It follows the words of the audit entry. */
  readonly detail?: string
  /** The key of `done` that is said. Default: its first. */
  readonly said?: string
  /** If it changed several things: the keys of `action` and `what` of their audit entries. Default: `said`. */
  readonly parts?: readonly string[]
  /** A value that the page shows once, such as a secret. */
  readonly shown?: unknown
  /** The id of the record that the act created. A page can go to it. */
  readonly created?: string
  /** How the audit entry names what was changed. Default: `subject` of the audit entry. */
  readonly subject?: string
  /** What the operation answers from. */
  readonly made?: M
  /** If the act only queued the change: what `outcome` of its proposal finds it by. */
  readonly queued?: string
}

/**
 * The audit entry of an act. Core records it after the act, with who did it and when. It belongs to what the record of the act
 * belongs to: an agency, or the agency of a workspace.
 */
export interface ActAudit<E extends AnyEntity, F extends ObjectEntries> {
  /** Such as `location.review_flag`. With several, `said` of the result chooses one, or `parts` some. */
  readonly action: AuditedAction | Readonly<Record<string, AuditedAction>>
  /** The same in words for people, such as `Review flagged`. With several, `said` of the result chooses one. */
  readonly what:
    | string
    | Readonly<Record<string, string>>
    | ((input: Given<F>, row: Row<E>, ctx: OwnerContext) => string)
  /** Returns the name of the changed thing. */
  subject?(ctx: OwnerContext, row: Row<E>, input: Given<F>, made: ActResult): Promise<string> | string
  /** Set if the page of the record lists the entry in its history, or that of the record that was created. */
  readonly isHistory?: true
  /** Returns the id of the record whose page lists the entry, if it is another one. */
  historyOf?(row: Row<E>): string
  /** Set if the record is a credential, such as a connected app. The entry then has its id. */
  readonly isOfCredential?: true
}

/** The audit entry of an act inside one workspace. Its result names the subject. */
export interface WorkspaceActAudit
  extends Pick<ActAudit<AnyEntity, Record<never, never>>, 'action' | 'isHistory'> {
  readonly what: string | Readonly<Record<string, string>>
  readonly subject?: never
  readonly historyOf?: never
  readonly isOfCredential?: never
}

/** How agents propose an act. Nothing happens until a person approves the proposal on a page. */
export interface ActProposal<F extends ObjectEntries, S extends ObjectEntries> {
  /** The fields that agents give, besides the id of the record. Default: all. */
  readonly takes?: readonly (keyof F & string)[]
  /** See `prepare` of `ProposableChange`. */
  prepare(
    ctx: ProposalReads,
    input: Given<F> & Readonly<Record<string, unknown>>,
  ): Promise<PreparedChange<Record<string, unknown>>>
  /** Returns what the person who approved saw, from the basis of the change. */
  seen?(basis: string): Given<S>
  /** See `outcome` of `ProposableChange`. */
  outcome?(ctx: ProposalReads, queued: QueuedChange<Record<string, unknown>>): Promise<ChangeOutcome>
}

/** The words of an act on pages. */
interface PageWords {
  /** The words of its button, such as `Flag review`. */
  readonly label: string
  /** The sentence after it. With several, `said` of the result chooses one. */
  readonly done: string | Readonly<Record<string, string>>
  readonly isShellOnly?: never
}

/** What only operators do. No page has it. */
interface ShellOnly {
  readonly isShellOnly: true
  readonly label?: never
  readonly done?: never
}

/**
 * One deed: what it takes, who may do it, what it changes, and its words. The command of the shell, the form of a page,
 * the proposal of agents, the audit entry and `docs/reference/acts.md` are printed from it.
 */
export type ActDeclaration<
  E extends AnyEntity = AnyEntity,
  F extends ObjectEntries = ObjectEntries,
  S extends ObjectEntries = ObjectEntries,
  M = unknown,
> = ActParts<E, F, S> &
  (PageWords | ShellOnly) &
  (SystemRun<E, F, S, M> | SplitRun<E, F, S, M> | WorkspaceRun<E, F, S, M>)

/** An act that needs the system context. */
interface SystemRun<E extends AnyEntity, F extends ObjectEntries, S extends ObjectEntries, M> {
  readonly audit?: ActAudit<E, NoInfer<F>>
  run(ctx: OwnerContext, about: ActInput<E, F, S>): Promise<ActResult<M>>
  readonly runForAgent?: never
  readonly runInWorkspace?: never
  readonly startsWork?: never
}

/** An act that reads for people what an operation does not see, such as the terms of a service. `runForAgent` goes without it. */
interface SplitRun<E extends AnyEntity, F extends ObjectEntries, S extends ObjectEntries, M> {
  readonly audit?: never
  run(ctx: OwnerContext, about: ActInput<E, F, S>): Promise<ActResult<M>>
  runForAgent(ctx: WorkspaceActContext, about: ActInput<E, F, S>): Promise<ActResult<M>>
  readonly runInWorkspace?: never
  readonly startsWork?: never
}

/** An act that reads and writes only rows of its own plugin in one workspace, so that an operation can be printed from it. */
interface WorkspaceRun<E extends AnyEntity, F extends ObjectEntries, S extends ObjectEntries, M> {
  readonly audit?: WorkspaceActAudit
  runInWorkspace(ctx: WorkspaceActContext, about: ActInput<E, F, S>): Promise<ActResult<M>>
  readonly run?: never
  readonly runForAgent?: never
  /** Set if an inactive workspace refuses it. Operations are refused there in any case. */
  readonly startsWork?: true
}

/** What every act declares. */
interface ActParts<E extends AnyEntity, F extends ObjectEntries, S extends ObjectEntries> {
  /** `<thing> <verb>`, such as `review flag`. */
  readonly name: string
  /** One line for the help of the shell. */
  readonly summary: string
  readonly on: ActRecord<E>
  /** What it takes besides the record. Descriptions are the help of the shell. */
  readonly fields?: F
  /** Fields that only forms send: what the person saw, so that nobody changes what somebody else changed in between. */
  readonly seen?: S
  /** Schemas of fields for which a form sends something else than the text, number, `yes` or list that is expected of it. */
  readonly forms?: Readonly<Partial<Record<keyof F & string, GenericSchema>>>
  /**
   * What the file of a field must contain, such as `one token`. The shell then takes the path of a file, as `<field>_file`, because
   * files leave no trace in its history. A form sends the text.
   */
  readonly files?: Readonly<Partial<Record<keyof F & string, string>>>
  /** A field with the bytes of a file, in base64. A form sends the file, and the shell takes its path, as `<field>_file`. */
  readonly upload?: { readonly field: keyof F & string; readonly bytesMax: number; readonly called: string }
  /** Optional fields that no form has. A form does it with their defaults. */
  readonly shellFields?: readonly (keyof F & string)[]
  /** Fields that the shell takes by position, after the id of the record. */
  readonly positional?: readonly (keyof F & string)[]
  /** See `faultsIn` of `CommandDeclaration`. Forms have the same faults. */
  faultsIn?(ctx: OwnerContext, typed: unknown): readonly Fault[]
  /** Keys of the answer with secrets. The shell prints them only to a terminal or with `--json`. */
  readonly secrets?: readonly string[]
  /** Asked before it is done on a page. Set if it cannot be undone, or reaches people outside. */
  readonly question?: string
  /** Set if forms have a box `sure` to tick before it is done: the error if it is not ticked. */
  readonly sure?: string
  /** The audit entries that its work records itself, because the same also happens without the act, such as in a job. */
  readonly recordedByRun?: readonly AuditedAction[]
  /** The name of the act that takes it back. */
  readonly undo?: string
  /** Set if members may not. */
  readonly only?: 'owner'
  /** `recent` asks for the password again. Default: `session`. */
  readonly auth?: 'session' | 'recent'
  /** Set if a demo refuses it. */
  readonly refusesDemo?: true
  /** Set if the shell does not have it, because it is about what a person sees on a page. */
  readonly isPageOnly?: true
  readonly proposal?: ActProposal<F, S>
}

/** What was done by a form, and the word of its sentence. */
export interface SubmittedAct<M = unknown> extends ActResult<M> {
  /** Undefined if the act has one sentence. The name of the form is then its word. */
  readonly said?: string
}

/** What is printed from an act. */
export interface Act<
  E extends AnyEntity = AnyEntity,
  F extends ObjectEntries = ObjectEntries,
  S extends ObjectEntries = ObjectEntries,
  M = unknown,
> {
  readonly declared: ActDeclaration<E, F, S, M>
  /** Does it and records its audit entry. The caller has found the record. */
  perform(ctx: OwnerContext, about: ActInput<E, F, S>): Promise<ActResult<M>>
  /** The same for an operation. Throws if the act needs the system context. */
  performForAgent(
    ctx: WriteContext,
    about: Pick<ActInput<E, F, S>, 'row' | 'input' | 'seen'>,
  ): Promise<ActResult<M>>
  /** Does what a form sent, for the person in the context. */
  submit(ctx: ActionContext, sent: Readonly<Record<string, unknown>>): Promise<SubmittedAct<M>>
  /** The command of the shell, with the proposal of agents. */
  readonly command: AnyCommand
  /** The form of a page. */
  readonly form: AnyAction
}

/** An act about any record. */
// biome-ignore lint/suspicious/noExplicitAny: lists hold acts of any record and input
export type AnyAct = Act<any, any, any, any>

/** A field of an act as a form shows it. */
export interface ShownActField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'choice' | 'flag'
  readonly optional: boolean
  readonly choices?: readonly string[]
}

/** The words and fields of an act, as data for a page. */
export interface ShownAct {
  /** The name of its form. */
  readonly form: string
  readonly label: string
  readonly question?: string
  readonly fields: readonly ShownActField[]
}
