import {
  defineOperation,
  field,
  Refusal,
  recordSchema,
  refusedField,
  timezone,
  visibleRow,
  type WriteContext,
} from 'renown'
import { Workspace } from 'renown/records'
import {
  callerGenerator,
  channelFaults,
  type DraftChannel,
  defineDraft,
  draftInputs,
  requireOneWish,
} from 'renown/sending'
import * as v from 'valibot'
import { textHash } from '../content/post-text'
import { postChannel } from '../drafts/check-draft'
import { draftWarnings } from '../drafts/draft-warnings'
import { generalIntent, templateGenerator, type WrittenPost, writePost } from '../drafts/write-post'
import { targetOf } from '../publishing/destination'
import { unchanged } from '../publishing/settlePost'
import { type PostContent, postPlatforms, postTypes, summaryMax } from '../records/content'
import { Post, type PostRow } from '../records/Post'
import { PostedLocation, type PostedLocationRow } from '../records/PostedLocation'

const intentMax = 1_000

const ownInputs = draftInputs('text', summaryMax, {
  if_unchanged:
    'The text that you expect to replace, or the updated_date of the draft. 409 if it is another. Send it with post_id',
  take_back: 'Restores the text that the last draft replaced. Send it with post_id and without text',
})

const input = v.strictObject({
  business_location_id: field.text('Location that the post is for'),
  intent: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1),
      v.maxLength(intentMax),
      v.description(
        'What the post is about, with every price and date it may name. Default: a general update',
      ),
    ),
  ),
  generate_image: v.optional(
    field.flag('Picture too. There is no image service yet: a warning says so'),
    false,
  ),
  timezone: v.optional(timezone('IANA time zone in which people will schedule the post')),
  post_type: v.optional(field.oneOf(postTypes, 'Default: update, or that of the draft')),
  platform: v.optional(field.oneOf(postPlatforms, 'Default: gbp, or that of the draft')),
  text: ownInputs.text,
  post_id: v.optional(field.text('Draft whose text is replaced. A new draft if left out')),
  if_unchanged: ownInputs.if_unchanged,
  take_back: ownInputs.take_back,
})
type Given = v.InferOutput<typeof input>

/** Drafts a post, or replaces the text of a draft. Only people can schedule and publish it. */
export const generatePostDraft = defineOperation({
  name: 'generatePostDraft',
  summary: 'Draft a post of a location, or save your own text as one. It publishes nothing',
  class: 'draft',
  crossAgency: 'own',
  input,
  output: v.object({
    post: recordSchema(Post),
    post_id: field.code('The draft'),
    status: field.oneOf(['draft'], 'Always draft'),
    generator: field.code(
      `Who wrote it: llm:<model>, ${templateGenerator} where no language model is configured, or ${callerGenerator}`,
    ),
    replaced_previous: field.flag('Whether it replaced a text. take_back restores that one'),
    warnings: field.texts('What a person should check or add before scheduling it'),
  }),
  async run(ctx, given) {
    requireSense(given)
    const location = await locationOf(ctx, given.business_location_id)
    const before = given.post_id === undefined ? null : await draftOf(ctx, given, given.post_id)
    const kind = {
      post_type: before?.post_type ?? given.post_type ?? 'update',
      platform: before?.platform ?? given.platform ?? 'gbp',
    } as const
    const target = targetOf(ctx, kind.platform)
    const language = before?.content.language ?? (await languageOf(ctx))
    const intent = given.intent ?? generalIntent
    const channel = postChannel(target)
    refuseTooLong(given.text, channel)
    const written =
      ownText(given, before, language) ??
      (await writePost(ctx.model, location, { intent, language, channel, post_type: kind.post_type }))
    const post = await save(ctx, { ...kind, before, written, location, timezone: given.timezone })
    return {
      post: visibleRow(Post, post),
      post_id: post.id,
      status: 'draft' as const,
      generator: written.generator,
      replaced_previous: before !== null,
      warnings: draftWarnings({ post, location, target, intent, ...written }, given.generate_image),
    }
  },
})

/** Throws if the platform cannot take the caller's own text. */
function refuseTooLong(text: string | undefined, channel: DraftChannel): void {
  const [why] =
    text === undefined ? [] : channelFaults(text, channel).filter(({ isImpossible }) => isImpossible)
  if (why !== undefined) throw refusedField('text', `The text is too long: ${why.why}.`)
}

/** Throws if inputs contradict each other, or one is about a draft and none is named. */
function requireSense(given: Given): void {
  requireOneWish(given)
  const { take_back, post_id, if_unchanged } = given
  if (take_back && post_id === undefined)
    throw refusedField('post_id', 'take_back needs the post_id of a draft.')
  if (if_unchanged !== undefined && post_id === undefined) {
    throw refusedField('post_id', 'if_unchanged needs the post_id of a draft.')
  }
}

async function locationOf(ctx: WriteContext, id: string): Promise<PostedLocationRow> {
  const location = await ctx.rows(PostedLocation).get(id)
  if (!location) throw new Refusal('not_found', 'There is no such location in this workspace.')
  if (location.is_prospect) {
    throw new Refusal('conflict', 'This location is a prospect. Renown publishes no posts for it.')
  }
  return location
}

/** Returns the draft that is replaced. Throws if it is none, or is being reviewed. */
async function draftOf(ctx: WriteContext, given: Given, id: string): Promise<PostRow> {
  const post = await ctx.rows(Post).get(id)
  if (!post || post.business_location_id !== given.business_location_id) {
    throw new Refusal('not_found', 'This location has no such post.')
  }
  for (const name of ['platform', 'post_type'] as const) {
    if (given[name] === undefined || given[name] === post[name]) continue
    throw refusedField(name, `${name} must be ${post[name]}, or left out: a draft keeps it.`)
  }
  if (post.status !== 'draft') {
    throw new Refusal('conflict', `Only a draft can be replaced. This post is ${post.status}.`)
  }
  if (post.approval === 'in_review' || post.approval === 'approved') {
    const why = post.approval === 'approved' ? 'approved this text' : 'is reviewing this text'
    throw new Refusal('conflict', `A client ${why}. Only people can change it now.`)
  }
  return post
}

const postDraft = defineDraft({
  name: 'text',
  textOf: (post: PostRow) => post.content.summary,
  versionOf: (post) => post.updated_date,
  replacedOf: (post) => post.previous_text,
})

/** Returns the text of the caller, or the one that is taken back. Null if a text must be generated. */
function ownText(given: Given, before: PostRow | null, language: string): WrittenPost | null {
  const own = postDraft.own(before, given)
  return own && { ...own, language: own.restored?.language ?? language }
}

async function languageOf(ctx: WriteContext): Promise<string> {
  return (await ctx.rows(Workspace).get(ctx.workspace.id))?.locale ?? 'en'
}

interface Saving extends Pick<PostRow, 'platform' | 'post_type'> {
  readonly before: PostRow | null
  readonly written: WrittenPost
  readonly location: PostedLocationRow
  readonly timezone: string | undefined
}

/** Saves a draft and keeps the text that it replaces. Throws if somebody changed it at the same time. */
async function save(
  ctx: WriteContext,
  { before, written, location, timezone: zone, platform, post_type }: Saving,
): Promise<PostRow> {
  const { text: summary, language, generator } = written
  const content: PostContent = { media: [], ...before?.content, summary, language }
  const changes = {
    content,
    text_hash: textHash({ post_type, content }),
    written_by: generator,
    // Nobody knows whether a person or a machine wrote what a caller sent.
    ai_generated: generator === callerGenerator ? undefined : generator !== templateGenerator,
    ...(zone === undefined ? {} : { timezone: zone }),
  }
  if (before === null) {
    return ctx.rows(Post).insert({
      business_location_id: location.id,
      platform,
      post_type,
      status: 'draft',
      scheduled_at: null,
      error_count: 0,
      is_active: true,
      revision: 1,
      ...changes,
    })
  }
  const { summary: text, language: was } = before.content
  const by = before.written_by
  const previous_text = { text, language: was, ...(by === undefined ? {} : { by }) }
  const next = { revision: (before.revision ?? 1) + 1, approval: undefined, approval_note: undefined }
  const row = { ...changes, ...next, previous_text }
  return postDraft.replace(ctx.rows(Post), before.id, row, unchanged(before))
}
