import type { GenericSchema, InferOutput } from 'valibot'
import type { ReadContext } from './context'
import type { OwnerContext } from './owner'

/** Reads inside the workspace of a proposal, and the settings that say which services are set up. */
export type ProposalReads = Pick<ReadContext, 'rows' | 'extensions' | 'workspace' | 'now'> &
  Pick<OwnerContext, 'settings'>

/** A change that could be made now, as a person decides about it. */
export interface PreparedChange<I> {
  /** The complete input. What the agent left out and the change uses, such as a draft, is filled in. */
  readonly input: I
  /**
   * Identifies the version of everything that the change is based on, at most 200 characters. It must become another one with the
   * first write of `run`. The same basis then means that nothing was done.
   */
  readonly basis: string
  /** The record that changes. */
  readonly record: { readonly entity: string; readonly id: string }
  /** What is proposed, in one line of at most 200 characters, such as `Reply to 2 stars from Ana`. */
  readonly title: string
  /**
   * What happens, with the exact text that is published or sent. A proposal whose effect contains invisible characters is
   * refused, so use `visible` for what strangers wrote. If it changes while the proposal waits, nobody can approve the proposal any
   * more. So it must not contain the time of day or a count.
   */
  readonly effect: string
  /** The page of the record, a path under /app. */
  readonly href: string
}

/** A change that a person approved and that `run` only queued. */
export interface QueuedChange<I> {
  readonly input: I
  readonly record: { readonly id: string }
  /** What `run` returned. */
  readonly act: string
}

/** How far a queued change is. */
export interface ChangeOutcome {
  /** `unknown`: nobody can prove whether it was made. It can still become another one. */
  readonly state: 'queued' | 'done' | 'failed' | 'unknown'
  /** Why, in one sentence for people and agents. Needed for `failed` and `unknown`. */
  readonly why?: string
}

/** How agents propose a command. Nothing happens until a person approves the proposal on a page. */
export interface ProposableChange<I extends GenericSchema = GenericSchema> {
  /** Label of the button that does it, such as `Send reply`. */
  readonly label: string
  /** The fields of `input` that agents give. */
  readonly takes: readonly string[]
  /**
   * Returns the change, or throws a Refusal that says why it cannot be made. Runs when it is proposed, when a person looks at it,
   * and right before it is made. Refuse here all that `run` would refuse, so that people get no proposal that cannot be made. Errors
   * name fields of the input, such as `/text`.
   */
  prepare(ctx: ProposalReads, input: InferOutput<I>): Promise<PreparedChange<InferOutput<I>>>
  /**
   * Makes the change for the person in `ctx.by`. Must throw a Refusal if the basis is no longer the same. If it only queues the
   * change, it returns what `outcome` finds it by, at most 200 characters.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most changes are made at once and return nothing
  run(ctx: OwnerContext, change: PreparedChange<InferOutput<I>>): Promise<string | void>
  /** Reads from the record how far a queued change is. Needed if `run` returns a text. */
  outcome?(ctx: ProposalReads, queued: QueuedChange<InferOutput<I>>): Promise<ChangeOutcome>
}

/** A change of any input. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds commands of any input
export type AnyProposableChange = ProposableChange<any>
