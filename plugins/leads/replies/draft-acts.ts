import {
  type ActInput,
  type ActRecord,
  defineAct,
  field,
  type OwnerContext,
  type Row,
  type WorkspaceActContext,
} from 'renown'
import { writerIn } from 'renown/pages'
import * as v from 'valibot'
import { replyMax } from '../drafts/channel-rules'
import { draftReply, type MentionDraftWish, type ReplyDesk } from '../drafts/draft-reply'
import { lengths } from '../drafts/reply-texts'
import { replyTones } from '../drafts/write-reply'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import { loadedReplyTerms, replyTerms } from '../sources/mention-policy'
import { cleanText } from '../sources/plain-text'
import { channelOf } from './replyWay'

const onMention: ActRecord<typeof Mention> = { entity: Mention, field: 'mention_id', called: 'mention' }

/** The draft that the person saw. */
const seen = { if_draft: v.optional(v.pipe(v.string(), v.maxLength(2_000)), '') }

/** What acts on the draft of a reply declare. Nobody sees a draft until a person sends it. */
const aboutDraft = { on: onMention, seen, isPageOnly: true } as const

/** A reply as people type it. */
export const typedReply = v.pipe(
  v.string(),
  v.transform((typed) => cleanText(typed, 10 * replyMax)),
  v.minLength(1, 'Write the reply first.'),
  v.maxLength(replyMax, `Use at most ${replyMax} characters.`),
)

/** What people read: the workspace of the mention, and the terms of every source that was ever loaded. */
const deskOf = (ctx: OwnerContext, { workspace_id }: Row<typeof Mention>): ReplyDesk => {
  const own = writerIn(ctx, workspace_id)
  return {
    model: ctx.outbound.model,
    now: () => ctx.now(),
    terms: (mention) => replyTerms(ctx, mention),
    sender: (mention) => channelOf(ctx, mention),
    mentions: own.rows(Mention),
    location: (id) => own.rows(BusinessLocation).get(id),
  }
}

const plain = { tone: 'friendly', length: 'medium', discloses: true, take_back: false } as const

/** What operations read. They see one workspace, and so only the terms of sources whose plugin is loaded. */
const agentsDesk = (ctx: WorkspaceActContext): ReplyDesk => ({
  model: ctx.model,
  now: () => ctx.now(),
  terms: (mention) => loadedReplyTerms(ctx, mention),
  sender: (mention) => channelOf(ctx, mention),
  mentions: ctx.rows(Mention),
  location: (id) => ctx.rows(BusinessLocation).get(id),
})

/** What a draft is made of, and the draft that is expected to be there. */
type Wish = Partial<Omit<MentionDraftWish, 'if_unchanged'>>

async function drafted(desk: ReplyDesk, { row, seen }: Drafting, wish: Wish) {
  const if_unchanged = seen?.if_draft
  const made = await draftReply(desk, { ...plain, ...wish, if_unchanged, mention_id: row.id })
  return { answer: { mention_id: row.id }, made }
}

type Drafting = Pick<ActInput<typeof Mention, Record<never, never>, typeof seen>, 'row' | 'seen'>

const save = defineAct({
  ...aboutDraft,
  name: 'mention draft save',
  summary: 'Save your own draft of a reply to a mention',
  fields: { text: typedReply },
  label: 'Save draft',
  done: { written: 'Draft saved.' },
  undo: 'mention draft restore',
  run: (ctx, about) => drafted(deskOf(ctx, about.row), about, about.input),
  runForAgent: (ctx, about) => drafted(agentsDesk(ctx), about, about.input),
})

const create = defineAct({
  ...aboutDraft,
  name: 'mention draft create',
  summary: 'Write a draft of a reply to a mention',
  fields: {
    tone: field.oneOf(replyTones, 'Tone'),
    length: field.oneOf(lengths, 'Length'),
    discloses: v.optional(field.flag('Say that you work for the business'), false),
  },
  label: 'Write a draft',
  done: {
    drafted: 'New draft written.',
    template: 'New draft from a template. Set up a language model for individual drafts.',
  },
  undo: 'mention draft restore',
  async run(ctx, about) {
    await ctx.requireActive(about.row.workspace_id)
    const done = await drafted(deskOf(ctx, about.row), about, about.input)
    return { ...done, said: done.made.draft.tone === null ? 'template' : 'drafted' }
  },
  runForAgent: (ctx, about) => drafted(agentsDesk(ctx), about, about.input),
})

const restore = defineAct({
  ...aboutDraft,
  name: 'mention draft restore',
  summary: 'Take back the draft that the last one replaced',
  label: 'Take back the earlier draft',
  done: { taken: 'The earlier draft is back.' },
  undo: 'mention draft restore',
  run: (ctx, about) => drafted(deskOf(ctx, about.row), about, { take_back: true }),
  runForAgent: (ctx, about) => drafted(agentsDesk(ctx), about, { take_back: true }),
})

/** What people do with the draft of a reply to a mention. */
export const mentionDraftActs = { save, create, restore }
