import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type StandInReview, testReviewSource } from 'renown/testing'
import guild from './guild-source'

testReviewSource({
  ...{ plugin: guild, name: 'guild' },
  settings: { GUILD_URL: 'http://guild.test', GUILD_KEY: 'key' },
  location: { business_name: 'Acme' },
  standIn() {
    const held: { reviews: readonly StandInReview[] } = { reviews: [] }
    return {
      set(reviews) {
        held.reviews = reviews
      },
      async fetch({ url }) {
        const from = Number(new URL(url).searchParams.get('after'))
        const shown = held.reviews.slice(from, from + 50)
        return Response.json({
          reviews: shown.map(({ id, stars, text, at }) => ({ id, stars, text, written: at.toISOString() })),
          next: from + 50 < held.reviews.length ? String(from + 50) : null,
        })
      },
    }
  },
})

test('docs/PLUGINS.md shows this source as it is tested here', async () => {
  const [page, source] = await Promise.all(
    ['../../../docs/PLUGINS.md', 'guild-source.ts'].map((path) =>
      Bun.file(join(import.meta.dir, path)).text(),
    ),
  )
  expect(page).toContain(`\`\`\`typescript\n${source}\`\`\``)
})
