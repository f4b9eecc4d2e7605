import { expect, test } from 'bun:test'
import { readSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/gdelt'
import { gdelt } from '../../../plugins/gdelt/gdelt'
import { unzipFirst } from '../../../plugins/gdelt/unzip'
import { platformWorld } from '../../support/source-world'
import { createGdelt, zipped } from '../../support/stand-ins/gdelt'

const setup = {
  plugin,
  isSafelyFetched: true,
  settings: { GDELT_URL: 'https://gdelt.test/gdeltv2' },
} as const
const needed = { GDELT_READS: 'on' }

testMentionSource({ ...setup, name: 'gdelt', needed, isJson: false, standIn: createGdelt })

test('reads each file since the last one, and passes over one that GDELT left out', async () => {
  const standIn = createGdelt()
  const world = await platformWorld({ ...setup, settings: { ...setup.settings, ...needed } }, (request) =>
    standIn.fetch(request),
  )
  const { signal } = new AbortController()
  const request = { target: '', since: '2026-03-01T00:00:00.000Z', signal }
  const post = (id: number) => ({
    id,
    text: `Acme ${id}`,
    author: 'jo',
    at: new Date('2026-03-15T07:00:00Z'),
  })
  standIn.set([post(1)])
  let { cursor } = await readSource(world.ctx, gdelt, { ...request, cursor: null })
  for (const id of [2, 3, 4]) standIn.set([post(id)])
  standIn.files.delete([...standIn.files.keys()][2] ?? '')
  const found: string[] = []
  const unread: string[] = []
  for (let isMore = true; isMore; ) {
    const reading: Awaited<ReturnType<typeof readSource>> = await readSource(world.ctx, gdelt, {
      ...request,
      cursor,
    })
    found.push(...reading.posts.map(({ title = '' }) => title))
    unread.push(...reading.unread.map(({ reason }) => reason))
    ;({ cursor, isMore } = reading)
  }
  expect([found, unread]).toEqual([['Acme 2', 'Acme 4'], ['the file 20260315084500']])
  await world.stop()
})

test('reads an archive, and no damaged or endless one', async () => {
  const archive = zipped('a text that is long enough to be packed, packed, packed, packed')
  expect(new TextDecoder().decode(await unzipFirst(archive, 1_000))).toStartWith('a text')
  await expect(unzipFirst(zipped('0'.repeat(1_000_000)), 10_000)).rejects.toThrow(RangeError)
  for (let length = 0; length < archive.length; length += 7)
    await expect(unzipFirst(archive.subarray(0, length), 1_000)).rejects.toThrow(RangeError)
})

test('a list that nobody renews is a fault, and no reading without news', async () => {
  const standIn = createGdelt()
  standIn.set([])
  const world = await platformWorld({ ...setup, settings: { ...setup.settings, ...needed } }, (request) =>
    standIn.fetch(request),
  )
  const { signal } = new AbortController()
  const request = { target: '', cursor: null, since: '2026-03-01T00:00:00.000Z', signal }
  world.bench.now = new Date('2026-03-18T09:00:00.000Z')
  await expect(readSource(world.ctx, gdelt, request)).rejects.toThrow('the newest file is of 2026-03-15')
  await world.stop()
})
