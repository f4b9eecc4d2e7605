import { afterEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { Notification } from '../../../../core/tenancy/news/Notification'
import { Review } from '../../../../plugins/reviews/records/Review'
import { personBasis } from '../../../../plugins/reviews/reply/decideAct'
import { requestReply } from '../../../../plugins/reviews/reply/requestReply'
import { platformWorld } from '../support/platform-world'

const hour = 3_600_000
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

/** What a platform may make of a reply without changing what it says. */
const rewrites: Readonly<Record<string, (text: string) => string>> = {
  'as they are': (text) => text,
  'escaped once': escaped,
  'escaped three times': (text) => escaped(escaped(escaped(text))),
  'with other line ends': (text) => text.replaceAll('\n', '\r\n'),
  'with spaces that do not break': (text) => text.replaceAll(' ', '\u00a0'),
  'with accents taken apart': (text) => text.normalize('NFD'),
  'with marks of direction': (text) => `\u200e${text}\u200e`,
}
const reply = 'Hello & thanks, "Café" <3\nIt\'s a pleasure.'

let world: Awaited<ReturnType<typeof platformWorld>>
afterEach(() => world.bench.stop())

async function answered(platform: 'google' | 'facebook', rewrite: (text: string) => string, isLost: boolean) {
  world = await platformWorld({ platform })
  const standIn = world[platform]
  standIn.rewrite = rewrite
  const at = world.bench.now.getTime()
  standIn.reviews.set('a', { id: 'a', stars: 5, text: 'Lovely', author: 'Ann', created: at, updated: at })
  await world.sync()
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', 'a') })
  if (!row) throw new Error('no row')
  await requestReply(world.owner, { review_id: row.id, text: reply, basis: personBasis(row) })
  if (isLost) standIn.replyFaults.push('lost')
  const tries = isLost ? [1, 2] : [1]
  for (const attempt of tries) await world.act(row.id, attempt).catch(() => {})
  return { standIn, id: row.id }
}

describe.each(['google', 'facebook'] as const)('a reply at %s', (platform) => {
  for (const [name, rewrite] of Object.entries(rewrites)) {
    test.each([false, true])(`counts as sent with its words ${name}; answer lost: %p`, async (isLost) => {
      const { standIn, id } = await answered(platform, rewrite, isLost)
      expect(standIn.replies).toHaveLength(1)
      world.later(hour)
      await world.sync()
      const row = await world.owner.rows(Review).get(id)
      expect(row?.reply_text).toBe(rewrite(reply))
      expect(row?.needs_response).toBe(false)
      expect(await world.owner.rows(Notification).list({ where: where.eq('type', 'reply_failed') })).toEqual(
        [],
      )
      expect(standIn.complaints).toEqual([])
      expect(await world.bench.command('review verify', {})).toMatchObject({ sound: true })
    })
  }
})
