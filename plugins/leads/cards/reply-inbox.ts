import { where } from 'renown'
import type { InboxEntry, InboxSource } from 'renown/pages'
import { channelNames } from '../records/channel-names'
import { Mention } from '../records/Mention'
import { isUndecidedReply, MentionReply } from '../records/MentionReply'
import { cleanText } from '../sources/plain-text'
import { leadWords } from '../words'

/** The newest failed replies that are read. Those that a person answered by hand are left out. */
const failedMax = 200

/** Replies to mentions that failed, or whose outcome nobody can prove. */
export const replyEntries: InboxSource = {
  name: 'mention-replies',
  title: leadWords('kindReplies'),
  order: 31,
  icon: 'message-circle',
  async list(ctx, limit) {
    const failed = await ctx.rows(MentionReply).list({
      where: where.eq('state', 'failed'),
      sort: [{ field: 'requested_at', direction: 'desc' }],
      limit: failedMax,
    })
    if (failed.length === 0) return []
    const mentions = await ctx.rows(Mention).list({
      where: where.in(
        'id',
        failed.map(({ mention_id }) => mention_id),
      ),
      limit: failed.length,
      fields: ['status', 'replied_at', 'removal_rule'],
    })
    const open = new Set(
      mentions
        .filter(({ status, replied_at, removal_rule }) => {
          return status !== 'dismissed' && replied_at === undefined && removal_rule === undefined
        })
        .map(({ id }) => id),
    )
    return failed
      .filter(({ mention_id }) => open.has(mention_id))
      .slice(0, limit)
      .map((reply): InboxEntry => {
        const isOpen = isUndecidedReply(reply)
        const isHeld = reply.failure_kind === 'held_by_platform'
        const label = channelNames[reply.source]
        const error = cleanText(reply.error_message ?? '', 500)
        return {
          id: reply.id,
          state: `failed ${reply.revision}`,
          tone: 'bad',
          word: leadWords(isHeld ? 'held' : isOpen ? 'unknown' : 'failed'),
          at: reply.requested_at,
          about: label,
          title: leadWords(isHeld ? 'replyHeld' : isOpen ? 'isReplyThere' : 'replyNotSent', {
            channel: label,
          }),
          ...(error === '' ? {} : { text: { text: error, lang: 'en' } }),
          quote: { text: cleanText(reply.text, 300) },
          link: {
            href: `/app/mentions?${new URLSearchParams({ state: 'any', mention: reply.mention_id })}`,
            label: leadWords(isOpen ? 'decide' : 'openMention'),
          },
        }
      })
  },
}
