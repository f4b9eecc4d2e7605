import {
  defineExtensionPoint,
  type Extension,
  type OwnerContext,
  ServiceFault,
  type SystemReads,
} from 'renown'
import type { AnsweredPost, OpenThread, ReplyChannel, ReplyLocation } from 'renown/leads'
import type { KeyUse, LookedResults, ProofRule, ShownResult } from 'renown/sending'
import type { TextUnit } from 'renown/sources'
import * as v from 'valibot'
import type { PostChannelInfo } from './content/post-channel'
import {
  type PostContent,
  type PostPlatform,
  type PostType,
  postPlatforms,
  postTypes,
} from './records/content'
import type { PostedLocationRow } from './records/PostedLocation'

export { attemptKey, judgeShown, outcomeOf } from 'renown/sending'
export { type TextUnit, textLength } from 'renown/sources'
export {
  type AddressAnswer,
  type AddressRequest,
  askAddress,
  baseAddress,
  isSiteAddress,
} from './content/ask-address'
export { textOfHtml } from './content/plain-html'
export type { PostChannelInfo } from './content/post-channel'
export { normalText, postLink, postText } from './content/post-text'
export { type PostContent, type PostPlatform, type PostType, postPlatforms, postTypes }

/** A post as it goes to a target. */
export interface OutgoingPost {
  readonly id: string
  readonly post_type: PostType
  readonly content: PostContent
  /** The version of the post. It changes when a person changes the post or publishes it again. */
  readonly revision: number
  /** When it should be published. */
  readonly planned_at: string
}

/** One attempt to publish a post. Repeated calls of an attempt have the same key. */
export interface TargetAttempt {
  /** What `keyOf` returned, at most 100 letters, digits, `_` and `-`. */
  readonly key: string
  /** When the attempt was recorded, before the first call. */
  readonly started_at: string
  /** The ids of other posts at the target that Renown published, or that it holds back. None of them is this post. */
  readonly others: ReadonlySet<string>
}

/** What a target shows of a post, in an answer or in a look. Renown judges it by the `proof` of the target. */
export type ShownPost = ShownResult

/** What a look at a target found. */
export type LookedPosts = LookedResults

/** Where a post is published. */
export interface PostDestination {
  readonly location: PostedLocationRow
  /** Empty texts where the target needs none. */
  readonly channel: PostChannelInfo
}

/** What a target publishes. A post that does not fit is refused when a person schedules it. */
export interface ContentRules {
  readonly postTypes: readonly PostType[]
  /** Maximum length of what `textOf` returns. */
  readonly textMax: number
  readonly countedIn: TextUnit
  readonly photosMax: number
  readonly videosMax: number
  /** Returns the text that is published. Default: `postText`. */
  textOf?(post: Pick<OutgoingPost, 'post_type' | 'content'>): string
  /** Returns why the content does not fit, with the field, such as `call_to_action`. */
  refusal?(
    post: Pick<OutgoingPost, 'post_type' | 'content'>,
  ): { readonly field: string; readonly message: string } | null
}

/** What people enter to connect a target. An absent part is not asked for. */
export interface ChannelForm {
  readonly address?: { readonly label: string; readonly default?: string }
  readonly account?: { readonly label: string }
  readonly secret?: { readonly label: string }
  /** Set if the posts get a public address at this installation. */
  readonly hasPublicId?: true
  /** Returns why an input cannot be used, or null. */
  refusal?(given: Omit<PostChannelInfo, 'public_id'>): string | null
}

/** The access to a target for one attempt. */
export interface OpenTarget {
  /**
   * How the target recognizes repeated calls. Absent if it does not. Then `look` must exist, and a call is never repeated.
   */
  readonly keys?: KeyUse
  /**
   * Publishes the post, and returns what the answer shows. Called once per attempt, and again with the same key only if the target
   * has `keys`. Throws a ServiceFault. Only a fault with `delivery` proves that nothing was published.
   */
  create(post: OutgoingPost, attempt: TargetAttempt): Promise<ShownPost>
  /** Reads a post by its id. Returns null only if the target says that it does not exist. Throws if the answer cannot be read. */
  read?(external_id: string): Promise<ShownPost | null>
  /**
   * Lists the posts that the target shows since the attempt, also those of others. Throws if the answer cannot be read. Absent if the
   * target cannot be read.
   */
  look?(post: OutgoingPost, attempt: TargetAttempt): Promise<LookedPosts>
}

/** A place where posts are published. Its functions throw ServiceFaults. */
export interface PostTarget extends Extension {
  /** The platform of the posts. One target per platform. */
  readonly platform: PostPlatform
  /** The name of the platform for people, such as `Bluesky`. */
  readonly label: string
  /** Sort position in lists. */
  readonly order: number
  readonly rules: ContentRules
  /** What the target must show before a post counts as published: the meaning of each of its states. */
  readonly proof: ProofRule
  /** Returns the words of a post as people see them there. Default: `rules.textOf`, or `postText`. */
  shownText?(post: Pick<OutgoingPost, 'post_type' | 'content'>): string
  /** Maximum number of attempts per hour for one location. */
  readonly perHour: number
  /** How people connect it. Null if the ids of the location say the account. */
  readonly channel: ChannelForm | null
  /** Returns why posts of a location cannot be published here, or null. Sends no request. */
  refusal?(location: PostedLocationRow): string | null
  /**
   * Returns the key of an attempt: the same for the same post, revision and time, and different for others. Default: a
   * digest.
   */
  keyOf?(post: OutgoingPost): string
  /**
   * Checks the credential and prepares the access, for example a session. It changes nothing that others see, so it
   * may be repeated.
   */
  open(ctx: OwnerContext, destination: PostDestination): Promise<OpenTarget>
  /** Opens a post of somebody else, to answer it with the same account. Absent if Renown cannot answer on the platform. */
  openThread?(ctx: OwnerContext, destination: PostDestination, post: AnsweredPost): Promise<OpenThread>
}

/** The extension point for targets of posts. Each implementation publishes on one platform. */
export const postTarget = defineExtensionPoint<PostTarget>({
  id: 'posts.target',
  summary: 'Publishes posts of a location, each exactly once',
  shape: {
    platform: v.picklist(postPlatforms),
    label: v.string(),
    order: v.number(),
    perHour: v.pipe(v.number(), v.minValue(1)),
    proof: v.union([
      v.looseObject({
        states: v.record(v.string(), v.picklist(['visible', 'processing', 'held', 'rejected'])),
        source: v.pipe(v.string(), v.minLength(1)),
      }),
      v.looseObject({ acceptance: v.pipe(v.string(), v.minLength(1)) }),
    ]),
    rules: v.looseObject({
      postTypes: v.array(v.picklist(postTypes)),
      textMax: v.pipe(v.number(), v.minValue(1)),
      countedIn: v.picklist(['characters', 'graphemes', 'bytes']),
      photosMax: v.number(),
      videosMax: v.number(),
    }),
    open: v.function(),
  },
  nameOf: ({ platform }) => platform,
})

/** The account of a location for posts on a platform, without its credential. */
export interface PostAccount {
  /** Changes when a person connects another account. */
  readonly id: string
  readonly name: string
  /** Why nothing is sent through it now. Absent without a doubt. */
  readonly in_doubt?: string
}

/** Lends the accounts of posts for replies. The credential goes only to the target of the platform. */
export interface PostAccounts extends Extension {
  accountOf(ctx: SystemReads, location: ReplyLocation, platform: PostPlatform): Promise<PostAccount | null>
  /** Calls `openThread` of the target with the credential of the location. */
  openThread(
    ctx: OwnerContext,
    location: ReplyLocation,
    platform: PostPlatform,
    post: AnsweredPost,
  ): Promise<OpenThread>
  /** Puts the account in doubt, so that nothing more is sent through it until a person confirms it. */
  raiseDoubt(
    ctx: OwnerContext,
    location: ReplyLocation,
    platform: PostPlatform,
    doubt: { readonly why: string; readonly mention_id: string; readonly revision: number },
  ): Promise<void>
  /** Ends a doubt that was about the reply to this mention. */
  explainDoubt(
    ctx: OwnerContext,
    location: ReplyLocation,
    platform: PostPlatform,
    mention_id: string,
  ): Promise<void>
}

/** The extension point through which reply channels use the accounts of posts. The plugin `posts` implements it. */
export const postAccounts = defineExtensionPoint<PostAccounts>({
  id: 'posts.account',
  summary: 'Lends the accounts of posts for replies to mentions',
  shape: {
    accountOf: v.function(),
    openThread: v.function(),
    raiseDoubt: v.function(),
    explainDoubt: v.function(),
  },
})

/** Returns the parts of a reply channel that answers with the account of posts. The target needs `openThread`. */
export const replyByPostAccount = (
  platform: PostPlatform,
  label: string,
): Pick<ReplyChannel, 'accountOf' | 'open' | 'raiseDoubt' | 'explainDoubt'> => ({
  async accountOf(ctx, location) {
    const [accounts] = ctx.extensions(postAccounts)
    const account = await accounts?.accountOf(ctx, location, platform)
    return (
      account ?? {
        why: `The location is not connected to ${label}.`,
        fix: {
          label: 'Connect it under Posts, Targets',
          href: `/app/posts/targets?${new URLSearchParams({ location: location.id })}`,
        },
      }
    )
  },
  async open(ctx, location, post) {
    const [accounts] = ctx.extensions(postAccounts)
    if (!accounts) throw new ServiceFault('unsupported', 'The plugin for posts is not loaded.')
    return accounts.openThread(ctx, location, platform, post)
  },
  async raiseDoubt(ctx, location, doubt) {
    const [accounts] = ctx.extensions(postAccounts)
    await accounts?.raiseDoubt(ctx, location, platform, doubt)
  },
  async explainDoubt(ctx, location, mention_id) {
    const [accounts] = ctx.extensions(postAccounts)
    await accounts?.explainDoubt(ctx, location, platform, mention_id)
  },
})
