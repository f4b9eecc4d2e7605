import { field, refusedField, requireRow } from 'renown'
import { type ActionContext, type AnyAction, defineAction } from 'renown/pages'
import * as v from 'valibot'
import { confirmPublished, publishAgain, retryPost } from '../acts/decide'
import { createPost, editPost } from '../acts/edit'
import { cancelPost, publishNow, schedulePost, unschedulePost } from '../acts/schedule'
import { askApproval, endApproval, linkDays } from '../approval/links'
import { postPlatforms } from '../records/content'
import { Post } from '../records/Post'
import { contentFields, contentOf, namingFields } from './content-form'

const basis = v.optional(v.pipe(v.string(), v.maxLength(100)), '')
/** The page takes the field `post` for its row, so forms send the id under this name too. */
const id = v.string()
const one = v.strictObject({ id, basis })
const common = { auth: 'session', refusesDemo: true } as const
const yes = v.optional(v.literal('yes'))

async function requireOwn(ctx: ActionContext, id: string): Promise<string> {
  return (await requireRow(ctx.rows(Post), 'post', id)).id
}

type Act = (
  ctx: ActionContext,
  given: { readonly post_id: string; readonly basis: string },
) => Promise<unknown>

const simple = (done: string, act: Act) =>
  defineAction({
    ...common,
    done,
    input: one,
    run: async (ctx, given) => {
      await act(ctx, { post_id: await requireOwn(ctx, given.id), basis: given.basis })
    },
  })

const edit = defineAction({
  ...common,
  done: 'The post is saved.',
  input: v.strictObject({ id, basis, ...contentFields }),
  async run(ctx, { id, basis: seen, ...fields }) {
    const { post_type, content } = contentOf(fields)
    const row = await requireRow(ctx.rows(Post), 'post', id)
    const media = [...content.media, ...row.content.media.filter(({ format }) => format === 'video')]
    const cleared = { call_to_action: undefined, event: undefined, offer: undefined }
    const whole = { ...cleared, ...content, media } as typeof content
    await namingFields(() => editPost(ctx.owner, { post_id: row.id, basis: seen, post_type, content: whole }))
  },
})

const schedule = defineAction({
  ...common,
  done: 'The post is scheduled.',
  input: v.strictObject({
    id,
    basis,
    at: v.pipe(
      v.optional(v.string(), ''),
      v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'a day and a time such as 2026-12-01T09:00'),
    ),
    timezone: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(60, 'a time zone')), ''),
    occurrence: v.optional(v.picklist(['earlier', 'later'], 'Choose the first or the second.'), 'earlier'),
    allow_duplicate: yes,
  }),
  async run(ctx, { id, basis: seen, at, timezone, occurrence, allow_duplicate }) {
    const post_id = await requireOwn(ctx, id)
    await namingFields(() =>
      schedulePost(ctx.owner, {
        post_id,
        basis: seen,
        wall_time: at,
        timezone: timezone || ctx.workspace.timezone,
        occurrence,
        allow_duplicate: allow_duplicate === 'yes',
      }),
    )
  },
})

const publish = defineAction({
  ...common,
  done: 'Renown publishes the post now.',
  input: v.strictObject({ id, basis, sure: yes, allow_duplicate: yes }),
  async run(ctx, { id, basis: seen, sure, allow_duplicate }) {
    const post_id = await requireOwn(ctx, id)
    if (sure !== 'yes') throw refusedField('sure', 'Tick the box to publish the post now.', 'required')
    await namingFields(() =>
      publishNow(ctx.owner, { post_id, basis: seen, allow_duplicate: allow_duplicate === 'yes' }),
    )
  },
})

const cancel = defineAction({
  ...common,
  done: 'The post is cancelled.',
  input: v.strictObject({ id, basis, sure: yes }),
  async run(ctx, { id, basis: seen, sure }) {
    const post_id = await requireOwn(ctx, id)
    if (sure !== 'yes') throw refusedField('sure', 'Tick the box to cancel the post.', 'required')
    await cancelPost(ctx.owner, post_id, seen)
  },
})

const confirm = defineAction({
  ...common,
  done: 'The post counts as published.',
  input: v.strictObject({ id, basis, url: v.pipe(v.optional(v.string(), ''), v.trim(), v.maxLength(2_000)) }),
  async run(ctx, { id, basis: seen, url }) {
    await confirmPublished(ctx.owner, { post_id: await requireOwn(ctx, id), basis: seen, url })
  },
})

const duplicate = defineAction({
  ...common,
  input: v.strictObject({ id, basis, platform: field.oneOf(postPlatforms, 'The target') }),
  async run(ctx, { id, platform }) {
    const {
      business_location_id: location_id,
      post_type,
      content,
    } = await requireRow(ctx.rows(Post), 'post', id)
    const copy = await createPost(ctx.owner, { location_id, platform, post_type, content })
    return { to: `/app/posts/post?post=${copy.id}&done=copied` }
  },
})

const askForApproval = defineAction({
  ...common,
  input: v.strictObject({
    id,
    basis,
    days: v.pipe(
      v.optional(v.string(), String(linkDays.default)),
      v.regex(/^\d{1,2}$/, `${linkDays.min} to ${linkDays.max} days`),
      v.transform(Number),
      v.minValue(linkDays.min, `${linkDays.min} to ${linkDays.max} days`),
      v.maxValue(linkDays.max, `${linkDays.min} to ${linkDays.max} days`),
    ),
  }),
  async run(ctx, { id, days }) {
    const { address } = await askApproval(ctx.owner, { post_id: await requireOwn(ctx, id), days })
    return { shown: { address } }
  },
})

/** The forms of the page of a post, by name. They call the same functions as the commands. */
export const postActions: Readonly<Record<string, AnyAction>> = {
  edit,
  schedule,
  publish,
  cancel,
  confirm,
  duplicate,
  'ask-approval': askForApproval,
  'end-approval': simple('The review has ended. Its links no longer work.', (ctx, { post_id }) =>
    endApproval(ctx.owner, post_id),
  ),
  unschedule: simple('The post is a draft again.', (ctx, { post_id, basis: seen }) =>
    unschedulePost(ctx.owner, post_id, seen),
  ),
  again: simple('Renown publishes the post again.', (ctx, { post_id, basis: seen }) =>
    publishAgain(ctx.owner, post_id, seen),
  ),
  retry: simple('Renown publishes the post now.', (ctx, { post_id, basis: seen }) =>
    retryPost(ctx.owner, post_id, seen),
  ),
}
