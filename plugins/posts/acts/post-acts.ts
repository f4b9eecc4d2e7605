import { type ActRecord, defineAct, field, type OwnerContext, requireRow, timezone } from 'renown'
import { Workspace } from 'renown/records'
import * as v from 'valibot'
import { textHash } from '../content/post-text'
import { postPlatforms } from '../records/content'
import type { PostRow } from '../records/Post'
import { PostedLocation } from '../records/PostedLocation'
import { changedFields, contentFields, contentForms, contentOf, namingFields } from './content-input'
import { confirmPublished, publishAgain, retryPost } from './decide'
import { createPost, editPost } from './edit'
import { aboutPost, postAudit, postSubject, shownPost } from './of-post'
import { preparePublish, prepareSchedule, proposedOutcome, seenBasis } from './proposedPost'
import { cancelPost, publishNow, schedulePost, unschedulePost } from './schedule'

/** The act on a location whose posts are written. */
const onLocation: ActRecord<typeof PostedLocation> = {
  entity: PostedLocation,
  field: 'location_id',
  called: 'location',
  choose: 'Choose a location of this workspace.',
}

const platform = field.oneOf(postPlatforms, 'Platform that the post is for')

/** Drafts a post. */
export const draftPost = defineAct({
  name: 'post create',
  summary: 'Draft a post of a location for a platform',
  on: onLocation,
  fields: { platform, ...contentFields },
  forms: contentForms,
  refusesDemo: true,
  label: 'Save draft',
  done: { drafted: 'The draft is saved.' },
  audit: {
    action: 'location.post_create',
    what: 'Post drafted',
    subject: (_, location, __, { created: id = '' }) =>
      postSubject(location, { id, business_location_id: location.id }),
  },
  async run(ctx, { row, input: { platform: to, ...given } }) {
    const { type = 'update' } = given
    const content = { summary: '', language: 'en', media: [], ...contentOf(given, type, true) }
    const post = { location_id: row.id, platform: to, post_type: type, content }
    const created = await namingFields(() => createPost(ctx, post))
    return { answer: shownPost(created), created: created.id }
  },
})

const change = defineAct({
  ...aboutPost,
  name: 'post update',
  summary: 'Change a post that is not published. A failed post becomes a draft',
  fields: changedFields,
  forms: contentForms,
  label: 'Save post',
  done: 'The post is saved.',
  audit: postAudit('post_edit', 'Post changed'),
  async run(ctx, { row, input, seen }) {
    // A form sends the whole post, so an empty field removes its part. Videos stay, because nobody can enter them.
    const isWhole = seen !== undefined
    const { type = row.post_type } = input
    const given = contentOf(input, type, isWhole)
    const videos = row.content.media.filter(({ format }) => format === 'video')
    const content = {
      ...(isWhole && { call_to_action: undefined, event: undefined, offer: undefined }),
      ...given,
      ...(given.media && { media: [...given.media, ...videos] }),
    } as Parameters<typeof editPost>[1]['content']
    const edit = { post_id: row.id, basis: seen?.basis ?? '', post_type: input.type, content }
    return { answer: shownPost(await namingFields(() => editPost(ctx, edit))) }
  },
})

const copy = defineAct({
  ...aboutPost,
  name: 'post copy',
  summary: 'Draft a copy of a post, also for another platform',
  fields: { platform },
  label: 'Copy post',
  done: { copied: 'This is the copy.' },
  isPageOnly: true,
  audit: {
    ...postAudit('post_create', 'Post drafted'),
    subject: async (ctx, { business_location_id }, _, { created: id = '' }) =>
      postSubject(await ctx.rows(PostedLocation).get(business_location_id), { id, business_location_id }),
  },
  async run(ctx, { row: { business_location_id: location_id, post_type, content }, input }) {
    const created = await createPost(ctx, { location_id, platform: input.platform, post_type, content })
    return { answer: shownPost(created), created: created.id }
  },
})

const allow_duplicate = v.optional(
  field.flag('Publish it although another post has the same text on the same platform'),
  false,
)

const schedule = defineAct({
  ...aboutPost,
  name: 'post schedule',
  summary: 'Schedule a post for a local time, or change its time',
  fields: {
    at: field.text('Local time, such as 2026-12-01T09:00'),
    timezone: v.optional(
      timezone('IANA time zone of the local time. The one of the draft or of the workspace if left out'),
    ),
    occurrence: v.optional(field.oneOf(['earlier', 'later'], 'Which one, if the local time occurs twice')),
    allow_duplicate,
  },
  forms: {
    at: v.pipe(
      v.optional(v.string(), ''),
      v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'a day and a time such as 2026-12-01T09:00'),
    ),
  },
  label: 'Schedule post',
  done: 'The post is scheduled.',
  undo: 'post unschedule',
  audit: postAudit('post_schedule', 'Post scheduled'),
  proposal: {
    takes: ['at', 'timezone'],
    prepare: prepareSchedule,
    seen: seenBasis,
    outcome: proposedOutcome,
  },
  async run(ctx, { row, input: { at, timezone: zone, ...given }, seen }) {
    const used = zone ?? (await zoneOf(ctx, row))
    const wanted = { ...given, post_id: row.id, wall_time: at, timezone: used, basis: seen?.basis ?? '' }
    const { post, notice } = await namingFields(() => schedulePost(ctx, wanted))
    return {
      answer: { ...shownPost(post), ...(notice === undefined ? {} : { notice }) },
      queued: textHash(post),
    }
  },
})

async function zoneOf(ctx: OwnerContext, { workspace_id, timezone: chosen }: PostRow): Promise<string> {
  return chosen ?? (await requireRow(ctx.rows(Workspace), 'workspace', workspace_id)).timezone
}

const publish = defineAct({
  ...aboutPost,
  name: 'post publish',
  summary: 'Publish a post now',
  fields: { allow_duplicate },
  sure: 'Tick the box to publish the post now.',
  label: 'Publish post',
  done: 'Renown publishes the post now.',
  audit: postAudit('post_publish', 'Post published by hand'),
  proposal: { takes: [], prepare: preparePublish, seen: seenBasis, outcome: proposedOutcome },
  async run(ctx, { row, input, seen }) {
    const wanted = { ...input, post_id: row.id, basis: seen?.basis ?? '' }
    const post = await namingFields(() => publishNow(ctx, wanted))
    return { answer: shownPost(post), queued: textHash(post) }
  },
})

const unschedule = defineAct({
  ...aboutPost,
  name: 'post unschedule',
  summary: 'Return a scheduled post to the drafts',
  label: 'Take off the schedule',
  done: 'The post is a draft again.',
  audit: postAudit('post_unschedule', 'Post taken off the schedule'),
  run: async (ctx, { row, seen }) => ({ answer: shownPost(await unschedulePost(ctx, row.id, seen?.basis)) }),
})

const cancel = defineAct({
  ...aboutPost,
  name: 'post cancel',
  summary: 'Cancel a draft or a scheduled post',
  sure: 'Tick the box to cancel the post.',
  label: 'Cancel post',
  done: 'The post is cancelled.',
  audit: postAudit('post_cancel', 'Post cancelled'),
  run: async (ctx, { row, seen }) => ({ answer: shownPost(await cancelPost(ctx, row.id, seen?.basis)) }),
})

const retry = defineAct({
  ...aboutPost,
  name: 'post retry',
  summary: 'Publish a failed post now',
  label: 'Try again',
  done: 'Renown publishes the post now.',
  audit: postAudit('post_publish', 'Post published by hand'),
  run: async (ctx, { row, seen }) => ({ answer: shownPost(await retryPost(ctx, row.id, seen?.basis)) }),
})

const confirm = defineAct({
  ...aboutPost,
  name: 'post confirm',
  summary: 'Say that a post whose outcome is unknown, or that was held back, is on the platform',
  fields: { url: v.pipe(field.text('Address of the published post'), v.trim(), v.maxLength(2_000)) },
  positional: ['url'],
  label: 'It is there',
  done: 'The post counts as published.',
  audit: postAudit('post_confirm', 'Post confirmed as published'),
  async run(ctx, { row, input: { url }, seen }) {
    const wanted = { post_id: row.id, url, basis: seen?.basis ?? '' }
    return { answer: shownPost(await confirmPublished(ctx, wanted)) }
  },
})

const again = defineAct({
  ...aboutPost,
  name: 'post republish',
  summary:
    'Publish a post again whose outcome is unknown, or that was held back, after you looked at the platform',
  label: 'It is not there: publish again',
  done: 'Renown publishes the post again.',
  audit: postAudit('post_publish', 'Post published again'),
  run: async (ctx, { row, seen }) => ({ answer: shownPost(await publishAgain(ctx, row.id, seen?.basis)) }),
})

/** What people do with a post, by the name of its form. */
export const postActs = {
  edit: change,
  schedule,
  publish,
  cancel,
  confirm,
  duplicate: copy,
  unschedule,
  again,
  retry,
}
