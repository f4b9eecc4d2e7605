import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')
const reviews = 'test/plugins/reviews/unreadable.test.ts'
const guild = 'examples/guild-reviews/index.test.ts'
const core = 'test/core/outbound/unreadable.test.ts'

/** Every file that asks a service, with the test that lies to it at each of its addresses. */
const askers: Readonly<Record<string, string>> = {
  'plugins/facebook/consent.ts': core,
  'plugins/google/ask.ts': reviews,
  'core/outbound/model/model.ts': reviews,
  'plugins/dataforseo/ask.ts': reviews,
  'plugins/facebook/graph.ts': reviews,
  'plugins/places/ask.ts': reviews,
  'plugins/visibility/engines/wire.ts': 'test/plugins/openai/chatgpt.test.ts',
  'plugins/leads/sources/ask-source.ts': 'test/plugins/hackernews/hackernews.test.ts',
  'plugins/bluesky/account.ts': 'test/plugins/posts/target-conformance.test.ts',
  'plugins/linkedin/posts.ts': 'test/plugins/posts/target-conformance.test.ts',
  'plugins/mastodon/account.ts': 'test/plugins/posts/target-conformance.test.ts',
  'core/kit/oauth-token.ts': core,
  'plugins/wordpress/posts.ts': 'test/plugins/posts/target-conformance.test.ts',
  'examples/guild-reviews/ask-guild.ts': guild,
  'examples/guild-reviews/token.ts': guild,
}

const sources: { readonly path: string; readonly text: string }[] = []
for (const folder of ['core', 'plugins', 'ingest', 'examples']) {
  for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root)) {
    if (!path.includes('node_modules')) sources.push({ path, text: await Bun.file(join(root, path)).text() })
  }
}

test('every file that asks a service is driven through unreadable answers', () => {
  // A request cannot be made without a reader of the service's errors.
  const asks = ({ text }: { readonly text: string }) => /\bask\(/.test(text) && /\bfaultOf\b/.test(text)
  const found = sources.filter(asks).map(({ path }) => path)
  const askingFiles = found.filter((path) => path !== 'core/outbound/ask-service.ts')
  expect(askingFiles.sort()).toEqual(Object.keys(askers).sort())
  for (const path of Object.values(askers)) expect([path, existsSync(join(root, path))]).toEqual([path, true])
})

test('no form of an answer takes anything at all', () => {
  const lax = sources.filter(({ text }) => /\banswer: v\.(?:any|unknown|looseObject|record)\(/.test(text))
  expect(lax.map(({ path }) => path)).toEqual([])
})
