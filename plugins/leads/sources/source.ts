import { defineExtensionPoint, type Extension, type OwnerContext } from 'renown'
import type { EvidenceRule } from 'renown/sources'
import * as v from 'valibot'
import { type Channel, channels } from '../records/channels'
import { storedPolicy } from '../records/SourceTerms'

/** The parts of a context that a source needs. */
export type SourceContext = Pick<OwnerContext, 'outbound' | 'settings' | 'now' | 'product'>

/**
 * What the terms of a source allow. Renown enforces it for each mention, and an export names the rule that removed
 * something.
 */
export interface SourcePolicy {
  /** Number of days after which a mention is deleted. Null: no limit. */
  readonly retention_days: number | null
  /** Number of days after which a mention must be read again at the source, or deleted. Null: never. */
  readonly recheck_days: number | null
  /** Whether a mention must be deleted when its post is deleted at the source. */
  readonly delete_with_source: boolean
  /** Whether the author's name may be stored. */
  readonly may_store_author: boolean
  /** Whether posts of one author may be joined into one lead. */
  readonly may_link_identity: boolean
  /** Whether contact details may be read from the text. */
  readonly may_extract_contact: boolean
  /** `person`: people may reply through an account. `never`: replies are not allowed. */
  readonly may_reply: 'person' | 'never'
  /** What must stand beside the post wherever it is shown. Null: nothing. */
  readonly attribution: string | null
  /** The page with the source's terms. */
  readonly terms_url: string
}

/** The author of a found post. */
export interface FoundAuthor {
  readonly handle: string
  readonly name?: string
  readonly url?: string
  readonly avatar_url?: string
  readonly followers?: number
}

/** A public post in Renown's form. All texts are plain text, without HTML. */
export interface FoundPost {
  /** The source's own id, the same in each reading. */
  readonly source_id: string
  readonly channel: Channel
  /** Public address of the post. */
  readonly url: string
  readonly title?: string
  readonly body: string
  /** BCP 47 language tag, if the source says. */
  readonly language?: string
  readonly author?: FoundAuthor
  /** Public address of the post that it replies to, or of the thread. */
  readonly parent_url?: string
  /** Absent if the source does not say it, or not so that it can be read with certainty. Never the time of the reading. */
  readonly posted_at?: string
  readonly edited_at?: string
}

/** A post that could not be read. */
export interface UnreadPost {
  readonly source_id?: string
  /** The field that could not be read. */
  readonly reason: string
}

/**
 * What is read. `search`: posts that contain a term. `feed`: an address. `everything`: all posts of the source since
 * the cursor.
 */
export type Reach = 'search' | 'feed' | 'everything'

/** One reading of a source. */
export interface ReadingRequest {
  /** The term (`search`) or the address (`feed`). Empty for `everything`. */
  readonly target: string
  /** What the last reading of this target returned. Null for the first one. */
  readonly cursor: string | null
  /** Posts before this instant are not needed. ISO 8601. */
  readonly since: string
  readonly signal: AbortSignal
}

/** The result of one reading. */
export interface SourceReading {
  readonly posts: readonly FoundPost[]
  /** Posts in an unknown form. They are counted and shown, and the others are stored. */
  readonly unread: readonly UnreadPost[]
  /** Parts of returned posts that could not be read, such as their dates. They are counted and shown. */
  readonly doubts?: readonly UnreadPost[]
  /** Whether the source says that nothing changed since the last reading. */
  readonly isUnchanged?: true
  /** The address that was read, if it is not the target: the feed that a page names. */
  readonly read_from?: string
  /** Stored and passed to the next reading of this target. At most 4,000 characters. */
  readonly cursor: string | null
  /** Whether the next reading should follow at once, because there are more posts. */
  readonly isMore: boolean
  /** Ids of posts that the source says were deleted. */
  readonly deleted?: readonly string[]
}

/** The state of a post at its source. */
export type Recheck =
  /** The source says of this one post that it was deleted. */
  | { readonly source_id: string; readonly state: 'gone' }
  /** A complete answer to a question for this id does not have it. Only a second look proves that it was deleted. */
  | { readonly source_id: string; readonly state: 'missing' }
  /** A title or text that the answer does not have keeps what is stored. */
  | { readonly source_id: string; readonly state: 'found'; readonly post: FoundPost }

/** A place where public posts are read. Its functions throw ServiceFaults for answers that they cannot read. */
export interface MentionSource extends Extension {
  /** The name for people, such as `Hacker News`. */
  readonly label: string
  /** The channels that its posts can have. */
  readonly channels: readonly Channel[]
  readonly reach: Reach
  readonly policy: SourcePolicy
  /** Interval between two readings of one target, in milliseconds. */
  readonly everyMs: number
  /**
   * Returns the maximum number of readings an hour for the whole installation. For `feed`: per host. Intervals get longer if all
   * targets together need more, with equal shares for the workspaces. Absent: no limit.
   */
  perHour?(ctx: Pick<OwnerContext, 'settings'>): number
  /**
   * Whether the source itself chose posts for the tracker, such as an alert, so that a post without a keyword in its
   * excerpt is a mention too. Excluded keywords still apply.
   */
  readonly isPreselected?: boolean
  /** Whether posts arrive by themselves, so that a reading finds nothing more. */
  readonly isPushed?: boolean
  /** Returns the names of the settings that must be set first. Empty if it can be used. */
  needs(ctx: Pick<OwnerContext, 'settings'>): readonly string[]
  /** For `feed`: whether this address is one of its own. */
  takes?(address: URL): boolean
  /**
   * For `search`: returns the term in the form that the source needs, or null if the source cannot search for it.
   * Default: the term unchanged.
   */
  termFor?(term: string): string | null
  /** Reads the next posts of a target. */
  read(ctx: SourceContext, request: ReadingRequest): Promise<SourceReading>
  /** Reads stored posts again by their ids. An id that is missing in the answer proves nothing. */
  recheck?(ctx: SourceContext, ids: readonly string[], signal: AbortSignal): Promise<readonly Recheck[]>
  /** What `gone` and `missing` of `recheck` rest on. */
  readonly evidence?: Readonly<Record<'gone' | 'missing', EvidenceRule>>
  /**
   * Returns the id of the post at a public address of this platform, for `recheck`. Null if the address is none of its posts. With
   * it, posts are looked at again that other sources found, such as a search engine or a webhook.
   */
  postId?(address: URL, ctx: Pick<OwnerContext, 'settings'>): string | null
}

/** The extension point for sources of mentions. */
export const leadsSource = defineExtensionPoint<MentionSource>({
  id: 'leads.source',
  summary: 'Finds public posts',
  shape: {
    label: v.pipe(v.string(), v.minLength(1)),
    channels: v.pipe(v.array(v.picklist(channels)), v.minLength(1)),
    reach: v.picklist(['search', 'feed', 'everything']),
    everyMs: v.pipe(v.number(), v.minValue(1_000)),
    perHour: v.optional(v.function()),
    policy: storedPolicy,
    needs: v.function(),
    read: v.function(),
  },
})
