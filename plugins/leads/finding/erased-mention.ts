import { type ErasedPeople, type OwnerContext, where } from 'renown'
import type { PersonErasure } from 'renown/records'
import { Mention } from '../records/Mention'
import type { FoundPost } from '../sources/source'
import { dropReasons, withoutText } from './removal'

/** Where the address of a post was that named its author. Nothing is there. */
const erasedAddress = 'https://erased.invalid/'

/**
 * Erases the author of a mention: their words, their name, and the address and id of the post, which often contain it. The row
 * stays, and only a digest of the id, so that the post is not found again.
 */
export const mentionErasure: PersonErasure = {
  name: 'mentions',
  record_type: Mention.name,
  async erase(ctx: OwnerContext, { id }, { isAbout, redact, block }) {
    const row = await ctx.rows(Mention).get(id)
    if (!row) return
    if (!isAbout) {
      const redacted = Object.entries(redact(row)).filter(
        ([field, value]) => value !== row[field as keyof typeof row],
      )
      if (redacted.length > 0) await ctx.rows(Mention).update(id, Object.fromEntries(redacted))
      return
    }
    if (row.removal_rule === 'erased') return
    for (const key of outsideKeys(row.source, row)) await block(key)
    await dropReasons(ctx, row)
    await ctx.rows(Mention).updateWhere(where.eq('id', id), {
      ...withoutText,
      url: erasedAddress,
      source_id: `erased:${id}`,
      canonical_url: undefined,
      suggested_reply: undefined,
      previous_reply: undefined,
      reply_text: undefined,
      reply_url: undefined,
      tags: [],
      removal_rule: 'erased',
    })
  },
}

const outsideKeys = (channel: string, { source_id, url }: Pick<FoundPost, 'source_id' | 'url'>) => [
  `post ${channel} ${source_id}`,
  `post ${channel} ${url}`,
]

/** Whether a post must not be stored, because its author was erased. */
export function isOfErased(erased: ErasedPeople, { channel, author, ...post }: FoundPost): boolean {
  if (erased.isEmpty) return false
  const { handle = '', url = '' } = author ?? {}
  return (
    outsideKeys(channel, post).some((key) => erased.isBlocked(key)) ||
    erased.isErased('handle', handle) ||
    erased.isErased('email', handle) ||
    erased.isErased('profile', url) ||
    erased.redact(post.url) !== post.url
  )
}
