import { defineExtensionPoint, type Extension, type OwnerContext, type Row, type SystemReads } from 'renown'
import type { KeyUse, ProofRule, ShownResult } from 'renown/sending'
import type { TextUnit } from 'renown/sources'
import * as v from 'valibot'
import { type Channel, channels } from '../records/channels'
import type { BusinessLocation } from '../records/foreign'

/** The location that answers. */
export type ReplyLocation = Row<typeof BusinessLocation>

/** The post that is answered. */
export interface AnsweredPost {
  readonly channel: Channel
  /** The id of the source that found it. Other sources may have another id for the same post. */
  readonly source_id: string
  readonly url: string
  readonly found_by?: string | undefined
}

/** The account of a location on a platform. */
export interface ReplyAccount {
  /** The platform's own id of the account. A reply is sent only while the location is bound to the same one. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  /** Why nothing is sent through it now. Absent without a doubt. */
  readonly in_doubt?: string
}

/** Why a location has no account on a platform, and what a person can do about it. */
export interface NoReplyAccount {
  readonly why: string
  /** The page on which a person connects the account. */
  readonly fix?: { readonly label: string; readonly href: string }
}

/** The page on which people connect accounts. */
export const openConnections = { label: 'Open Connections', href: '/app/settings/connections' } as const

/** Returns the page on which people enter the ids of a location's accounts. */
export const editLocation = (id: string) => ({
  label: 'Edit the location',
  href: `/app/locations/one?${new URLSearchParams({ location: id })}`,
})

/** What identifies one version of a reply. */
export interface ReplyVersion {
  readonly id: string
  readonly revision: number
  readonly planned_at: string
}

/** A reply as it goes to its platform. */
export interface OutgoingReply extends ReplyVersion {
  readonly text: string
  /** BCP 47 language tag. `und` if unknown. */
  readonly language: string
}

/** One attempt to send a reply. Repeated calls of an attempt have the same key. */
export interface ReplyTry {
  readonly key: string
  /** When the attempt was recorded, before the first call. */
  readonly started_at: string
}

/** A reply as its platform shows it. Renown judges it by the `proof` of the channel. */
export type ShownReply = ShownResult

/** A reply of the account directly below a post. */
export interface OwnReply extends Omit<ShownReply, 'evidence' | 'text'> {
  /** Its text, without HTML. */
  readonly text: string
}

/** A post at its platform, with the account's own replies to it. */
export type ReplyThread =
  | { readonly isGone: true }
  | {
      readonly isGone: false
      readonly own: readonly OwnReply[]
      /** Set if the platform did not return all replies since `since`. A missing reply then proves nothing. */
      readonly isPart?: boolean
    }

/** The access to a post for one reply. */
export interface OpenThread {
  /** How the platform recognizes repeated calls. Absent if it does not. Then a call is never repeated. */
  readonly keys?: KeyUse
  /**
   * Reads the post, and the account's replies to it since `since`. Returns `isGone` only if the platform says that the post does
   * not exist or accepts no replies. Throws if the answer cannot be read.
   */
  look(since: Date): Promise<ReplyThread>
  /**
   * Sends the reply, and returns what the answer shows. Called once per attempt, and again with the same key only if the thread
   * has `keys`. Throws a ServiceFault. Only a fault with `delivery` proves that nothing was sent.
   */
  send(reply: OutgoingReply, attempt: ReplyTry): Promise<ShownReply>
  /** Reads a reply by its id. Returns null only if the platform says that it does not exist. */
  read?(external_id: string): Promise<ShownReply | null>
  /** Looks for the reply by the key of its attempt. Returns null only if the platform says that it is not there. Default: `look`. */
  find?(attempt: ReplyTry): Promise<ShownReply | null>
}

/** A platform on which a person answers mentions through the account of the location. Its functions throw ServiceFaults. */
export interface ReplyChannel extends Extension {
  /** The channel of the mentions. One implementation per channel. */
  readonly channel: Channel
  /** The name of the platform for people. */
  readonly label: string
  readonly textMax: number
  readonly countedIn: TextUnit
  /** What the platform must show before a reply counts as sent: the meaning of each of its states. */
  readonly proof: ProofRule
  /** Returns the account that the location is bound to, or why there is none. Sends no request. */
  accountOf(ctx: SystemReads, location: ReplyLocation): Promise<ReplyAccount | NoReplyAccount>
  /** Returns why this post cannot be answered through an account, or null. Sends no request. */
  refusal?(post: AnsweredPost): string | null
  /** Returns the key of an attempt. Default: a digest. */
  keyOf?(reply: ReplyVersion): string
  /** Puts the account in doubt, so that nothing more is sent through it until a person confirms it. */
  raiseDoubt?(
    ctx: OwnerContext,
    location: ReplyLocation,
    doubt: { readonly why: string; readonly mention_id: string; readonly revision: number },
  ): Promise<void>
  /** Ends a doubt that was about the reply to this mention, because a look or a person has explained it. */
  explainDoubt?(ctx: OwnerContext, location: ReplyLocation, mention_id: string): Promise<void>
  /** Checks the credential and prepares the access. It changes nothing that others see, so it may be repeated. */
  open(ctx: OwnerContext, location: ReplyLocation, post: AnsweredPost): Promise<OpenThread>
}

/** The extension point for replies to mentions. Only people send replies: no operation calls it. */
export const leadsReply = defineExtensionPoint<ReplyChannel>({
  id: 'leads.reply',
  summary: 'Sends the reply of a person to a mention',
  shape: {
    channel: v.picklist(channels),
    label: v.pipe(v.string(), v.minLength(1)),
    textMax: v.pipe(v.number(), v.minValue(1)),
    countedIn: v.picklist(['characters', 'graphemes', 'bytes']),
    proof: v.union([
      v.looseObject({
        states: v.record(v.string(), v.picklist(['visible', 'processing', 'held', 'rejected'])),
        source: v.pipe(v.string(), v.minLength(1)),
      }),
      v.looseObject({ acceptance: v.pipe(v.string(), v.minLength(1)) }),
    ]),
    accountOf: v.function(),
    open: v.function(),
  },
  nameOf: ({ channel }) => channel,
})
