import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { Review } from '../../plugins/reviews/records/Review'
import { ReviewListing } from '../../plugins/reviews/records/ReviewListing'
import { addTwoLocations, openDoubts } from '../support/doubt-process'
import { leaveOut } from '../support/schema-paths'
import { createGoogle, type GoogleStandIn } from '../support/stand-ins/google'
import { waitFor } from '../support/wait-for'

/** When a process is killed. The last one can let many replies through. */
const instants = ['at a page', 'at a look', 'before the reply', 'after the reply', 'anywhere'] as const
type Instant = (typeof instants)[number]

const kills = process.env.RENOWN_LONG === undefined ? instants.length : 60
/** More than all processes can send before they are killed. */
const replies = kills * 12
/** Each process believes that it starts so much later than the one before, so that syncs and retries are due. */
const minutesBetween = 70
const program = resolve(import.meta.dir, '../support/doubt-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-doubts-'))
const path = join(folder, 'documents.sqlite')

/** Google with two locations. The first one leaves out every reply from a certain instant on. */
const clock = { now: () => Date.now() }
const doubtful = createGoogle(clock)
const certain = createGoogle(clock)
let isOutage = false
let plan: { readonly at: Instant; kill(): void } | null = null
const killed = new Map<Instant, number>()
function strike(at: Instant, afterMs?: number): void {
  if (plan?.at !== at) return
  const { kill } = plan
  plan = null
  killed.set(at, (killed.get(at) ?? 0) + 1)
  if (afterMs === undefined) kill()
  else setTimeout(kill, afterMs)
}

/** Asks the stand-in of a location, which knows itself by another number. */
async function ask(standIn: GoogleStandIn, request: Request, id: string): Promise<Response> {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(`/locations/${id}/`, '/locations/222/')
  const { method, headers } = request
  const body = method === 'GET' ? {} : { body: await request.text() }
  const answer = await standIn.fetch(new Request(url.href, { method, headers, ...body }))
  return new Response((await answer.text()).replaceAll('/locations/222/', `/locations/${id}/`), answer)
}

let server: Bun.Server<undefined>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/started') {
        strike('anywhere', 300 + Math.random() * 400)
        return new Response('')
      }
      if (pathname === '/token') {
        const answer = await doubtful.fetch(request)
        for (const token of doubtful.tokens) certain.tokens.add(token)
        return answer
      }
      const isDoubtful = pathname.includes('/locations/222/')
      if (pathname.endsWith('/reviews')) strike('at a page')
      else if (request.method === 'GET') strike('at a look')
      if (request.method === 'PUT') strike('before the reply', 2)
      const answer = await ask(isDoubtful ? doubtful : certain, request, isDoubtful ? '222' : '333')
      if (request.method === 'PUT') strike('after the reply')
      if (!isOutage || !isDoubtful || request.method !== 'GET' || answer.status !== 200) return answer
      const body = (await answer.json()) as { reviews?: unknown }
      if (body.reviews === undefined) return Response.json(leaveOut(body, 'reviewReply'))
      return Response.json({ ...body, reviews: leaveOut(body.reviews, 'reviewReply') })
    },
  })
})
afterAll(async () => {
  await server?.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

function write(standIn: GoogleStandIn, id: string, created: number, reply?: { text: string; at: number }) {
  const said = { stars: 5, text: 'Lovely cake', author: 'Ann Lee', created, updated: created }
  standIn.reviews.set(id, { id, ...said, ...(reply ? { reply: { ...reply, state: 'APPROVED' } } : {}) })
}

test(`while one location is in doubt, another sends each reply once, though its process is killed ${kills} times`, async () => {
  const origin = server.url.origin
  const now = Date.now()
  const month = 30 * 86_400_000
  for (const standIn of [doubtful, certain])
    for (let n = 0; n < 10; n++)
      write(standIn, `old${n}`, now - month - n * 1_000, { text: 'Thank you', at: now - month })
  const begun = await openDoubts(path, origin, 0)
  const ids = await addTwoLocations(begun)
  await begun.read()
  const worker = begun.work()
  const isRead = async () => {
    const rows = await begun.gate.owner.rows(ReviewListing).list()
    return rows.every(({ last_full_at }) => last_full_at !== undefined)
  }
  await waitFor(isRead, { what: 'the first syncs', everyMs: 50 })
  await worker.stop()
  await begun.stop()

  // From now on the first location leaves out replies, also those that its owner writes.
  isOutage = true
  for (let n = 0; n < replies; n++) {
    write(doubtful, `new${n}`, now - n * 1_000, { text: 'By hand', at: now })
    write(certain, `new${n}`, now - n * 1_000)
  }
  const start = (ahead: number) => {
    const given = [path, origin, String(ahead * minutesBetween), ids[1] ?? '']
    return Bun.spawn([process.execPath, program, ...given], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
    })
  }
  for (let n = 1; n <= kills; n++) {
    const running = start(n)
    plan = { at: instants[n % instants.length] ?? 'anywhere', kill: () => running.kill('SIGKILL') }
    await running.exited
  }
  plan = null
  const ended: number[] = []
  while (ended.at(-1) !== 0 && ended.length < 4) ended.push(await start(kills + 1 + ended.length).exited)
  expect(ended.at(-1)).toBe(0)

  const after = await openDoubts(path, origin, 0)
  const { owner } = after.gate
  const rows = await owner.rows(Review).list({ limit: 10_000 })
  const locations = await Promise.all(ids.map((id) => owner.rows(BusinessLocation).get(id)))
  await after.stop()
  // Nothing was sent over the owner's replies, and nothing was given up.
  expect([doubtful.replies, doubtful.complaints]).toEqual([[], []])
  const of = (id: string | undefined) =>
    rows.filter(({ location_id, source_id }) => location_id === id && source_id.startsWith('new'))
  expect(of(ids[0]).filter((row) => row.auto_response_status !== 'pending')).toEqual([])
  expect([...doubtful.reviews.values()].filter(({ reply }) => reply?.text === 'By hand')).toHaveLength(
    replies,
  )
  // Every reply of the other location was sent once.
  expect([certain.complaints, certain.replies.length]).toEqual([[], replies])
  expect(new Set(certain.replies.map(({ review }) => review)).size).toBe(replies)
  expect(of(ids[1]).filter((row) => row.auto_response_status !== 'sent')).toEqual([])
  expect(locations.map((location) => location?.in_doubt?.about ?? null)).toEqual(['replies', null])
  expect([...killed.keys()].toSorted()).toEqual(instants.toSorted())
}, 1_800_000)
