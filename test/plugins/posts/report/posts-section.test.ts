import { afterEach, beforeEach, expect, test } from 'bun:test'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import posts from '../../../../plugins/posts'
import { Post } from '../../../../plugins/posts/records/Post'
import { postsSection } from '../../../../plugins/posts/report/posts-section'
import { collectedBy, figureIn } from '../../../support/checked-section'
import { edgeCases } from '../../../support/edge-cases'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
let made = 0
beforeEach(async () => {
  bench = await workbench([tenancy, posts])
  made = 0
})
afterEach(() => bench.stop())

const period = { date_from: '2026-02-01', date_to: '2026-02-28', days: 28 }
const previous = { date_from: '2026-01-01', date_to: '2026-01-31', days: 31 }
const collect = () => collectedBy(postsSection, bench.read('wsp_1'), { period, previous })
const post = (status: string, day: string, more: Record<string, unknown> = {}) => {
  made++
  const at = `${day}T12:00:00.000Z`
  return bench.collection(Post).insert({
    id: `pst_${made}`,
    workspace_id: 'wsp_1',
    business_location_id: 'loc_1',
    platform: 'feed',
    post_type: 'update',
    status,
    content: { summary: `Post ${made}`, language: 'en' },
    is_active: true,
    ...(status === 'published' ? { published_at: at, external_post_id: `p${made}` } : {}),
    ...(status === 'failed' ? { error_message: 'The platform refused it.' } : {}),
    created_date: at,
    updated_date: at,
    ...more,
  })
}

test('a location without posts has no part about posts', async () => {
  await post('published', '2026-02-10', { business_location_id: 'loc_2' })
  expect(await collect()).toBeNull()
})

test('it shows what was published, what failed and what is scheduled', async () => {
  await post('published', '2026-02-01', { external_url: 'https://blog.example/1' })
  await post('published', '2026-02-28', { platform: 'wordpress' })
  await post('published', '2026-03-01')
  await post('published', '2026-01-31')
  await post('failed', '2026-02-20')
  await post('failed', '2026-01-20')
  await post('scheduled', '2026-02-20', { scheduled_at: '2026-04-01T09:00:00.000Z' })
  await post('draft', '2026-02-20')
  const { data, blocks = [] } = (await collect()) ?? {}
  expect(data).toMatchObject({ published: 2, previous: 1, failed: 1, scheduled: 1 })
  expect(figureIn(blocks, 'posts.published')).toMatchObject({ value: 2, previous: 1 })
  expect(blocks.find((one) => one.kind === 'did')?.items.map(({ href }) => href)).toEqual([
    '/app/posts/post?post=pst_2',
    'https://blog.example/1',
  ])
  expect(blocks.find((one) => one.kind === 'next')?.items).toMatchObject([
    { because: 'The platform refused it.', href: '/app/posts/post?post=pst_5' },
    { text: '1 post scheduled.' },
  ])
})

test('hostile texts stay text, and the part stays small', async () => {
  for (const text of edgeCases) {
    const more = { content: { summary: text.repeat(9).slice(0, 1_500), language: 'en' } }
    await post('published', '2026-02-10', { ...more, external_url: text })
    await post('failed', '2026-02-10', { ...more, error_message: text })
  }
  const { data, blocks = [] } = (await collect()) ?? {}
  expect([data?.latest.length, data?.failures.length]).toEqual([10, 5])
  const did = blocks.find((one) => one.kind === 'did')?.items
  expect(did?.length).toBe(11)
  expect(did?.at(-1)?.text).toBe(`${edgeCases.length - 10} more posts published.`)
  expect(JSON.stringify(data).length).toBeLessThan(8_000)
})
