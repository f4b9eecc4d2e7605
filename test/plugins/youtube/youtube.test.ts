import { expect, test } from 'bun:test'
import { readSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/youtube'
import { youTube } from '../../../plugins/youtube/youtube'
import { platformWorld } from '../../support/source-world'
import { createYouTube } from '../../support/stand-ins/youtube'

const key = 'youtube-test-key'
const settings = { YOUTUBE_URL: 'http://youtube.test/youtube/v3', YOUTUBE_SEARCHES_PER_DAY: '1000000' }

testMentionSource({
  ...{ plugin, name: 'youtube', settings, needed: { YOUTUBE_API_KEY: key }, secrets: [key] },
  standIn: () => createYouTube({ key }),
})

test('searches no more often than a day allows', async () => {
  const standIn = createYouTube({ key })
  const own = { ...settings, YOUTUBE_API_KEY: key, YOUTUBE_SEARCHES_PER_DAY: '2' }
  const world = await platformWorld({ plugin, settings: own }, (request) => standIn.fetch(request))
  const { signal } = new AbortController()
  const request = { target: 'Acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }
  for (let n = 0; n < 2; n++) await readSource(world.ctx, youTube, request)
  await expect(readSource(world.ctx, youTube, request)).rejects.toMatchObject({ kind: 'quota' })
  expect(world.asked.count).toBe(2)
  await world.stop()
})
